import { type Json, ServiceError } from '@causeway/core'
import type { ChainMoney, DepositAddress, Payout } from '@causeway/core/chain'
import { paymentMemo } from '@causeway/core/chain-kit'
import { MAX_AMOUNT, NATIVE } from '../address/addresses.js'
import type { TransferEntry } from '../lane/transfers.js'
import { PLACEHOLDERS } from '../read/recipients.js'
import { type AccountIds, askAccount, askRelation } from '../rpc/accounts.js'
import type { MirrorPool } from '../rpc/mirrorNode.js'
import type { TokenState } from '../rpc/tokens.js'
import { PRICES } from './prices.js'
import { amountsToBring, amountsWithin, type TokenAmounts } from './tokenFees.js'
import type { TokenSource } from './tokenSource.js'

/** A payment of ours without its id, its nodes and its fee. */
export interface PaymentForm {
  /** The account that pays the network fee: the solver. */
  readonly payer: string
  /** The account whose money is paid. */
  readonly from: string
  readonly to: string
  readonly currency: string
  readonly amounts: TokenAmounts
  readonly memo: string
  /** In hundred-millionths of a US cent. */
  readonly price: bigint
  /** The deposit address whose key signs; null for a payment that is no sweep. */
  readonly sweep: DepositAddress | null
}

export interface PaymentFormDeps {
  readonly depository: string
  readonly pool: MirrorPool
  readonly ids: AccountIds
  readonly tokens: TokenSource
}

/**
 * The payment of a payout that is no sweep. A withdrawal takes just its amount from the depository, any other payment brings its amount.
 * @throws ServiceError INVALID_REQUEST, UNSUPPORTED_CURRENCY for a payout that no transfer can be
 */
export const paymentForm = async (payout: Payout, deps: PaymentFormDeps): Promise<PaymentForm> => {
  const { from: payer, to, money, calls, swap, topup = 0n, purpose } = payout
  if (calls.length > 0 || swap !== undefined || topup > 0n || to.tag !== undefined || to.memo !== undefined)
    throw new ServiceError('INVALID_REQUEST', 'A payment on Hedera carries no calls, no swap, no top-up and no tag.')
  const isWithdrawal = purpose === 'withdraw'
  const from = isWithdrawal ? deps.depository : payer
  const plan = { payer, from, to: to.address, memo: paymentMemo(payout), sweep: null }
  return completeForm(plan, { ...money, isWhole: isWithdrawal }, deps)
}

/** The payment of a sweep: all that the address holds, to the depository. */
export const sweepForm = (
  { payer, memo, currency, amount }: Pick<PaymentForm, 'payer' | 'memo'> & ChainMoney,
  sweep: DepositAddress,
  deps: PaymentFormDeps,
): Promise<PaymentForm> => {
  const plan = { payer, from: sweep.destination.address, to: deps.depository, memo, sweep }
  return completeForm(plan, { currency, amount, isWhole: true }, deps)
}

interface Wanted {
  readonly currency: string
  readonly amount: bigint
  /** Whether the amount is the one that leaves the sender; else it is the one that arrives. */
  readonly isWhole: boolean
}

const completeForm = async (
  plan: Omit<PaymentForm, 'currency' | 'amounts' | 'price'>,
  { currency, amount, isWhole }: Wanted,
  deps: PaymentFormDeps,
): Promise<PaymentForm> => {
  const even = { sent: amount, arrives: amount, taken: amount }
  if (currency === NATIVE) return { ...plan, currency, price: PRICES.transfer, amounts: payableOf(even) }
  const token = await deps.tokens.token(currency)
  const sender = await senderOf(plan.from, token, deps)
  const amounts = isWhole ? amountsWithin(amount, token, sender) : amountsToBring(amount, token, sender)
  const association = (await associates(plan.to, currency, deps)) ? PRICES.association : 0n
  return { ...plan, currency, amounts: payableOf(amounts), price: transferPrice(token) + association }
}

export const transferPrice = ({ fixedFees, fractionalFees }: TokenState): bigint =>
  fixedFees.length + fractionalFees.length > 0 ? PRICES.customFeeTransfer : PRICES.tokenTransfer

const payableOf = (amounts: TokenAmounts): TokenAmounts => {
  if (amounts.sent > 0n && amounts.sent <= MAX_AMOUNT) return amounts
  throw new ServiceError('INVALID_REQUEST', 'Hedera cannot pay this amount in one transfer.')
}

/** Number of the account that sends, which decides who pays custom fees; only looked up for tokens that have some. */
const senderOf = async (
  from: string,
  { fixedFees, fractionalFees }: TokenState,
  { pool, ids }: PaymentFormDeps,
): Promise<string> => {
  if (fixedFees.length + fractionalFees.length === 0) return from
  const [node] = pool.ordered()
  return (node === undefined ? null : await ids.at(node, from)) ?? from
}

/** Whether the transfer associates its recipient, which its payer pays. The fee of a payment never covers a new account besides. */
const associates = async (to: string, currency: string, { pool }: PaymentFormDeps): Promise<boolean> =>
  !PLACEHOLDERS.includes(to) &&
  (await askRelation(pool, to, currency)) === null &&
  (await askAccount(pool, to)) !== null

/** A payment as `PreparedAttempt.transaction` holds it. */
export interface PreparedPayment {
  /** Number of the account that pays the fee. */
  readonly payer: string
  /** Valid start in nanoseconds, and seconds from then on in which it may land. */
  readonly start: string
  readonly duration: string
  readonly maxFee: string
  readonly memo: string
  /** Consensus nodes that may take it: each has bytes of its own, under one id. */
  readonly nodes: readonly string[]
  readonly entries: readonly TransferEntry[]
  readonly sweep: DepositAddress | null
}

// CAST: plain data, all of it JSON; interfaces have no index signature.
export const preparedJson = (payment: PreparedPayment): Json => payment as unknown as Json

// CAST: only preparedJson makes such transactions.
export const readPrepared = (json: Json): PreparedPayment => json as unknown as PreparedPayment
