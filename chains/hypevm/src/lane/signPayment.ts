import type { Hex, Json } from '@causeway/core'
import type { SignedAttempt, Signer } from '@causeway/core/chain'
import { paymentId } from '../address/paymentIds.js'
import type { PreparedPayment } from '../payout/paymentForm.js'
import { SEND_ASSET_TYPES, signatureChainOf } from '../payout/sendAsset.js'
import { signUserAction } from './sdk.js'

/** Body of POST /exchange: the same bytes are sent again until the payment is seen. */
export interface ExchangeRequest {
  readonly action: Readonly<Record<string, Json>>
  readonly nonce: number
  readonly signature: { readonly r: string; readonly s: string; readonly v: number }
}

/**
 * Signs a transfer by the key of the account that pays (chains.md hypevm 5). `raw` is the JSON of the request.
 * @throws ServiceError SERVICE_UNAVAILABLE when the signer does not sign, or signs something else
 */
export const signPayment = async (
  { from, parameters }: Pick<PreparedPayment, 'from' | 'parameters'>,
  signer: Signer,
): Promise<Pick<SignedAttempt, 'txId' | 'raw'>> => {
  const { nonce } = parameters
  const signatureChainId: Hex = `0x${signatureChainOf(parameters.hyperliquidChain === 'Testnet').toString(16)}`
  const action = { type: 'sendAsset', signatureChainId, ...parameters }
  const request: ExchangeRequest = { action, nonce, signature: await signUserAction(signer, action, SEND_ASSET_TYPES) }
  return {
    txId: paymentId({ sender: from, nonce }),
    raw: `0x${Buffer.from(JSON.stringify(request)).toString('hex')}`,
  }
}

/** The request that `raw` holds. */
export const requestOf = (raw: Hex): ExchangeRequest => {
  // CAST: only signPayment makes such bytes.
  return JSON.parse(Buffer.from(raw.slice(2), 'hex').toString('utf8')) as ExchangeRequest
}
