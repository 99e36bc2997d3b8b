import { type Json, ServiceError } from '@causeway/core'
import type { ChainMoney, DepositAddress, Payout } from '@causeway/core/chain'
import { MAX_AMOUNT, PLACEHOLDERS } from '../address/addresses.js'
import { askRecipient, type RoleOf } from '../read/recipients.js'
import type { Asked, ExchangePool } from '../rpc/exchangeNode.js'
import type { Asset, Assets } from '../rpc/tokens.js'
import type { SendAsset } from './sendAsset.js'

/** A payment of ours without its nonce. */
export interface PaymentForm {
  /** The account whose key signs, and whose money is paid. */
  readonly from: string
  readonly to: string
  readonly asset: Asset
  readonly amount: bigint
  /** The deposit address whose key signs; null for a payment that is no sweep. */
  readonly sweep: DepositAddress | null
}

export interface PaymentFormDeps {
  readonly depository: string
  readonly pool: ExchangePool
  readonly assets: Assets
  readonly roleOf: RoleOf
}

/** @throws ServiceError INVALID_REQUEST, UNSUPPORTED_CURRENCY for a payout that no transfer can be */
export const paymentForm = async (payout: Payout, deps: PaymentFormDeps): Promise<PaymentForm> => {
  const { from, to, money, calls, swap, topup = 0n, purpose } = payout
  if (calls.length > 0 || swap !== undefined || topup > 0n || to.tag !== undefined || to.memo !== undefined)
    throw new ServiceError(
      'INVALID_REQUEST',
      'A payment on Hyperliquid carries no calls, no swap, no top-up and no tag.',
    )
  const payer = purpose === 'withdraw' ? deps.depository : from
  return { from: payer, to: to.address, ...(await payableOf(money, deps)), sweep: null }
}

/** The payment of a sweep: all that the address holds, to the depository. */
export const sweepForm = async (
  money: ChainMoney,
  sweep: DepositAddress,
  deps: Pick<PaymentFormDeps, 'depository' | 'assets'>,
): Promise<PaymentForm> => ({
  ...{ from: sweep.destination.address, to: deps.depository, sweep },
  ...(await payableOf(money, deps)),
})

const payableOf = async ({ currency, amount }: ChainMoney, { assets }: Pick<PaymentFormDeps, 'assets'>) => {
  const asset = await assets.find(currency)
  if (asset === null) throw new ServiceError('UNSUPPORTED_CURRENCY', 'The exchange does not have this currency.')
  const unit = 10n ** BigInt(Math.max(asset.decimals - asset.places, 0))
  if (amount > 0n && amount <= MAX_AMOUNT && amount % unit === 0n) return { asset, amount }
  throw new ServiceError('INVALID_REQUEST', 'Hyperliquid cannot pay this amount in one transfer.')
}

/** USDC that the sender pays for a new account, in the service's unit. Deposit addresses and the depository pay none. */
export const activationOf = async (
  asked: Asked,
  { from, to, asset }: PaymentForm,
  { depository, roleOf }: Pick<PaymentFormDeps, 'depository' | 'roleOf'>,
): Promise<bigint> => {
  if (to === depository || PLACEHOLDERS.includes(to)) return 0n
  return (await askRecipient(asked, { account: to, payer: from, asset, roleOf })).activation
}

/** A payment as `PreparedAttempt.transaction` holds it. */
export interface PreparedPayment {
  readonly from: string
  readonly parameters: SendAsset
  readonly sweep: DepositAddress | null
}

// CAST: plain data, all of it JSON; interfaces have no index signature.
export const preparedJson = (payment: PreparedPayment): Json => payment as unknown as Json

// CAST: only preparedJson makes such transactions.
export const readPrepared = (json: Json): PreparedPayment => json as unknown as PreparedPayment
