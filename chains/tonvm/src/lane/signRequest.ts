import { type Hex, type Json, ServiceError } from '@causeway/core'
import { type Signer, signChecked } from '@causeway/core/chain'
import { type Cell, SendMode } from '@ton/core'
import { type Wallet, walletOfKey } from '../address/wallets.js'
import { type PreparedRequest, relaxedMessage } from '../payout/paymentForm.js'
import { signedLocator } from './accountReading.js'
import { externalMessage } from './externalMessage.js'
import { requestCell, signedBody, WALLET_OPS, type WalletMessage } from './walletRequest.js'

/** A wallet v5r1 takes no other mode from outside: the wallet pays the fees, and errors are ignored. */
const MODE: SendMode = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS

/** The wallet of an ed25519 key. @throws ServiceError SERVICE_UNAVAILABLE for a key of another kind */
export const walletOf = ({ scheme, publicKey }: Signer, networkId: number): Wallet => {
  if (scheme === 'ed25519') return walletOfKey(publicKey, networkId)
  throw new ServiceError('SERVICE_UNAVAILABLE', 'The key of this chain must be an ed25519 key.')
}

export interface RequestKeys {
  readonly networkId: number
  /** Key of the wallet that takes the number. */
  readonly signer: Signer
}

/**
 * Signs a request of a wallet. Its id is the hash of the external message in the form of TEP-467.
 * @throws ServiceError SERVICE_UNAVAILABLE when a signer does not sign, or signs something else
 */
export const signRequest = async (
  { account, seqno, until, messages }: PreparedRequest,
  keys: RequestKeys,
): Promise<{ readonly txId: string; readonly raw: Hex; readonly locator: Json }> => {
  const wallet = walletOf(keys.signer, keys.networkId)
  const sent = messages.map((message): WalletMessage => ({ message: relaxedMessage(message), mode: MODE }))
  const request = { op: WALLET_OPS.external, walletId: wallet.walletId, seqno: BigInt(seqno), until: BigInt(until) }
  const body = await bodyOf({ ...request, messages: sent }, keys.signer)
  const { hash, boc } = externalMessage(wallet, body, BigInt(seqno) === 0n)
  return {
    txId: hash,
    raw: `0x${boc.toString('hex')}`,
    locator: signedLocator(account, BigInt(seqno)),
  }
}

const bodyOf = async (request: Parameters<typeof requestCell>[0], signer: Signer): Promise<Cell> => {
  const cell = requestCell(request)
  return signedBody(cell, await signChecked(signer, cell.hash()))
}
