import type { DepositEvent } from '../chain/chainAdapter.js'
import type { ChainMoney } from '../chain/chainReferences.js'
import type { Chain } from '../chain/chainRegistry.js'
import type { FailReason } from '../errors/failReason.js'
import type { Hex } from '../money/hex.js'
import type { QuoteTerms } from '../quote/quoteTerms.js'
import { isBalanceMarker, walletOfMarker } from './balanceMarker.js'

/** What is to become of a deposit that was just recognised (architecture.md 3, Cardinality). */
export type DepositClass =
  /** Consumes the order: the request of the quote is filled. */
  | { readonly kind: 'fillable' }
  /** Came to an open address and is not what its quote asked for: a request of its own, with an order made for it (wire.md E.3). */
  | { readonly kind: 'fresh' }
  /** Belongs to the order but may not consume it: a request of its own, refunded. */
  | { readonly kind: 'child'; readonly reason: FailReason }
  /** Pays no order: it becomes balance of a wallet once it is settled (wire.md 4.12). */
  | { readonly kind: 'balance'; readonly wallet: string }
  /** Cannot be tied to anyone's quote, or cannot be sent back by itself. */
  | { readonly kind: 'parked'; readonly reason: string }

export interface DepositContext {
  readonly chainId: number
  /** Terms of the quote whose order id the deposit carries; null when there is none. */
  readonly terms: QuoteTerms | null
  /** Whether another deposit consumed the order already. */
  readonly consumed: boolean
  /** Whether the solver holds this currency here, so that it could refund it. */
  readonly refundable: boolean
  /** Days after which quotes were dropped that nobody had paid; null while none was. */
  readonly droppedAfterDays: number | null
  /** Unix milliseconds. */
  readonly now: number
  /** Whether this deployment keeps balances of wallets; default: no. */
  readonly keepsBalances?: boolean
  /** Its depositor or source is an account of this deployment (`isOwnDeposit`); default: no. */
  readonly own?: boolean
  /** The quote's request is `pending` already for a payment to its address; more may have come since. */
  readonly announced?: boolean
}

/**
 * Judges one deposit. Only the right chain, the right currency and an amount that the rules accept consume an order; anything
 * less never does, else anyone could block an order with dust (F117), and deposits are never added together.
 */
export const classifyDeposit = (deposit: DepositEvent, context: DepositContext): DepositClass => {
  const { terms } = context
  if (deposit.orderId === null) return { kind: 'parked', reason: 'no order id' }
  if (isBalanceMarker(deposit.orderId)) return classifyTopup(deposit.orderId, deposit.depositor, context)
  // Neither filled nor refunded: no user gave this money.
  if (context.own === true) return { kind: 'parked', reason: 'sent by an account of this deployment' }
  if (terms === null) return { kind: 'parked', reason: unknownOrder(context.droppedAfterDays) }
  if (!context.refundable) return { kind: 'parked', reason: 'currency not held by the solver' }
  // Its id is that of a request and not of an order: nothing was ever to be deposited.
  if (terms.direct !== undefined) return { kind: 'child', reason: 'ORPHANED_DEPOSIT_REFUND' }
  if (terms.address?.type === 'open') return classifyOpen(deposit, terms, context)
  const unfit = judgeMoney({ chainId: context.chainId, money: deposit.money }, terms)
  if (unfit !== null) return { kind: 'child', reason: unfit }
  if (context.consumed) return { kind: 'child', reason: 'DOUBLE_SPEND' }
  return { kind: 'fillable' }
}

/** What is sent for a balance becomes one where it can be priced, which the currencies that the solver holds can. */
const classifyTopup = (
  marker: Hex,
  depositor: string,
  { keepsBalances = false, refundable }: DepositContext,
): DepositClass => {
  const wallet = walletOfMarker(marker, depositor)
  if (!keepsBalances) return { kind: 'parked', reason: 'sent for a balance, and this deployment keeps none' }
  if (!refundable) return { kind: 'parked', reason: 'sent for a balance in a currency not held by the solver' }
  if (wallet === null)
    return { kind: 'parked', reason: 'sent for the balance of its sender, which has no wallet address' }
  return { kind: 'balance', wallet }
}

/** Each payment to an open address is for itself: what the quote asked for fills its order, once, and anything else gets an order of its own. */
const classifyOpen = (deposit: DepositEvent, terms: QuoteTerms, context: DepositContext): DepositClass => {
  if (terms.orderDeadline * 1000 <= context.now) return { kind: 'child', reason: 'ORDER_EXPIRED' }
  const unfit = judgeMoney({ chainId: context.chainId, money: deposit.money }, terms)
  const isAsked = deposit.money.amount === terms.depositAmount || context.announced === true
  return unfit === null && isAsked && !context.consumed ? { kind: 'fillable' } : { kind: 'fresh' }
}

/** An order id says neither when it was made nor by whom, so that of a dropped quote is like one that never was. */
const unknownOrder = (days: number | null): string =>
  days === null
    ? 'unknown order id'
    : `unknown order id: no quote has it, or its quote was dropped after ${days} days without a payment`

/** Why money cannot pay a quote's order; null when chain, currency and amount are right. */
export const judgeMoney = (
  deposit: { readonly chainId: number; readonly money: ChainMoney },
  { origin, minimumDeposit }: Pick<QuoteTerms, 'origin' | 'minimumDeposit'>,
): FailReason | null => {
  if (deposit.chainId !== origin.chainId) return 'DEPOSIT_CHAIN_MISMATCH'
  if (deposit.money.currency !== origin.currency) return 'INCORRECT_DEPOSIT_CURRENCY'
  return deposit.money.amount < minimumDeposit ? 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' : null
}

type Parties = Pick<DepositEvent, 'depositor' | 'source'>

/**
 * Whether a deposit names an account that pays with this deployment's keys, the solver's or the depository, as its depositor or source:
 * an adapter took a payment or withdrawal of ours for a deposit, or a sender named our account. Sources of sweeps and swaps are deposit
 * addresses and routers, which do not count.
 */
export const isOwnDeposit = ({ config, adapter }: Chain, { depositor, source }: Parties): boolean => {
  const accounts = [config.solver, ...(config.formerSolvers ?? []), adapter.depository]
  const parties = [depositor, source ?? ''].map(addressIn).filter((address) => address !== '')
  return parties.some((party) => accounts.some((own) => own === party || adapter.sameAddress(own, party)))
}

/** The account of a text that may name a tag or memo behind it. */
const addressIn = (text: string): string => text.split('?', 1)[0] ?? ''
