import { type Hex, type Json, ServiceError } from '@causeway/core'
import { type ChainMoney, nonceMappingTypedData, type StepItemDraft } from '@causeway/core/chain'
import { addressPaymentStep, depositStep } from '@causeway/core/chain-kit'
import { SEND_ASSET_PRIMARY_TYPE, SEND_ASSET_TYPES, sendAssetOf, signatureChainOf } from '../payout/sendAsset.js'
import type { Asset } from '../rpc/tokens.js'

export interface PaymentRequest {
  readonly from: string
  readonly to: string
  readonly money: ChainMoney
  readonly asset: Asset
  /** Unix milliseconds that no other step of the wallet has. */
  readonly nonce: number
  readonly isTestnet: boolean
}

export interface DepositStepRequest extends PaymentRequest {
  readonly orderId: Hex
  /** Id and slug of the chain, and the name of the domain of nonce mappings. */
  readonly chainId: number
  readonly slug: string
  readonly domainName: string
}

/**
 * The two steps of a deposit (chains.md hypevm 3): the wallet signs which order its nonce is for, and then the transfer with that nonce. Both
 * are signed for a default chain; the client SDK puts the wallet's chain in its place.
 * @throws ServiceError INVALID_REQUEST for an amount that the exchange cannot carry
 */
export const buildDepositSteps = (request: DepositStepRequest): readonly StepItemDraft[] => [
  authorizeStep(request),
  depositStep(sendData(request)),
]

/** The one step of a payment to a deposit address, which needs no mapping. */
export const buildPaymentStep = (request: PaymentRequest): readonly StepItemDraft[] => [
  addressPaymentStep(sendData(request)),
]

const authorizeStep = ({ from, orderId, nonce, chainId, slug, domainName, isTestnet }: DepositStepRequest) => {
  const signatureChainId = signatureChainOf(isTestnet)
  const [wallet, id] = [from, orderId]
  const message = { chain: slug, wallet, depositor: wallet, id, nonce }
  const typed = nonceMappingTypedData(message, { name: domainName, signatureChainId, version: '2' })
  const body = { type: 'nonce-mapping', walletChainId: chainId, wallet, depositor: wallet, id, nonce, signatureChainId }
  const data = {
    sign: { signatureKind: 'eip712', ...typed },
    post: { endpoint: '/authorize', method: 'POST', body },
  }
  return {
    stepId: 'authorize',
    kind: 'signature',
    action: 'Sign authorization',
    description: 'Names the order that the following transfer pays',
    // CAST: plain data, all of it JSON; interfaces have no index signature.
    data: data as unknown as Json,
  } as const
}

const sendData = ({ from, to, money, asset, nonce, isTestnet }: PaymentRequest): Json => {
  if (from === to)
    throw new ServiceError('INVALID_REQUEST', 'The account cannot pay itself: name another account as user.')
  const unit = 10n ** BigInt(Math.max(asset.decimals - asset.places, 0))
  if (money.amount <= 0n || money.amount % unit !== 0n)
    throw new ServiceError(
      'INVALID_REQUEST',
      `Hyperliquid moves ${asset.symbol} with ${asset.places} decimal places here. Enter an amount with no more.`,
    )
  const parameters = sendAssetOf(asset, { to, amount: money.amount, nonce, isTestnet })
  const data = {
    action: { type: 'sendAsset', parameters },
    ...{ nonce, eip712Types: SEND_ASSET_TYPES, eip712PrimaryType: SEND_ASSET_PRIMARY_TYPE },
  }
  // CAST: plain data, all of it JSON; interfaces have no index signature.
  return data as unknown as Json
}

/** Gives nonces for steps: Unix milliseconds, never the same twice. */
export const stepNonces = (now: () => number): (() => number) => {
  let last = 0
  return () => {
    last = Math.max(now(), last + 1)
    return last
  }
}
