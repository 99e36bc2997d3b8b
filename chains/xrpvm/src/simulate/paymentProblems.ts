import type { Payout, Simulation } from '@causeway/core/chain'
import { isNative, parseIssued } from '../address/currencies.js'
import { ACCOUNT_FLAGS, type AccountState } from '../rpc/accountState.js'
import type { IssuedHolding, PaymentParties } from './paymentParties.js'

type Failure = Extract<Simulation, { readonly ok: false }>

export const SOLVER_SHORT = 'The solver does not hold enough of this currency now.'
const NOT_THERE = 'The account does not exist. It begins with the first payment of XRP to it, of at least its reserve.'
const NEEDS_TAG = 'This account needs a destination tag.'
const TAKES_NOTHING = 'This account takes no payments that it has not authorised.'
const NO_LINE = 'The recipient holds no trust line for this currency.'
const LINE_FULL = 'The trust line of the recipient does not take so much of this currency.'
const FROZEN = 'The issuer has frozen this currency for the payer or the recipient.'
const AMM = 'This account is that of an automated market maker, which takes no payments.'

const failure = (kind: Failure['kind'], message: string): Failure => ({ kind, message, ok: false })

const has = ({ flags }: AccountState, flag: number): boolean => (flags & flag) !== 0

/** What a payment takes of its payer besides the amount. */
export interface PaymentCosts {
  /** Drops. */
  readonly fee: bigint
  /** Of the payment's currency, with what its issuer takes. */
  readonly taken: bigint
}

/**
 * Why a payment would fail, by what a ledger shows of both sides (chains.md xrpvm 5); null where nothing stands against it. What it does not
 * see is the way of an issued currency through other trust lines: ours go by the issuer alone.
 */
export const problemOf = (
  { to, money }: Pick<Payout, 'to' | 'money'>,
  parties: PaymentParties,
  costs: PaymentCosts,
): Failure | null => {
  const { recipient, reserves } = parties
  const least = isNative(money.currency) ? reserves.base : null
  if (recipient === null)
    return least !== null && money.amount >= least ? shortage(money, parties, costs) : missing(least)
  if (recipient.isAmm) return failure('recipient-cannot-receive', AMM)
  if (has(recipient, ACCOUNT_FLAGS.requireDestinationTag) && to.tag === undefined)
    return failure('recipient-cannot-receive', NEEDS_TAG)
  if (has(recipient, ACCOUNT_FLAGS.depositAuthorization)) return failure('recipient-cannot-receive', TAKES_NOTHING)
  return lineProblem(to.address, money, parties) ?? shortage(money, parties, costs)
}

const missing = (least: bigint | null): Failure => ({
  ...failure('recipient-cannot-receive', NOT_THERE),
  ...(least === null ? {} : { leastAmount: least }),
})

/** What stands against an issued currency at its recipient: the issuer itself takes back any. */
const lineProblem = (to: string, { currency, amount }: Payout['money'], { taken }: PaymentParties): Failure | null => {
  const issuer = parseIssued(currency)?.issuer
  if (issuer === undefined || issuer === to) return null
  if (taken === null) return failure('recipient-cannot-receive', NO_LINE)
  if (taken.isFrozen) return failure('revert', FROZEN)
  return taken.amount + amount > taken.limit ? failure('recipient-cannot-receive', LINE_FULL) : null
}

/** What the payer lacks. */
const shortage = (
  { currency }: Payout['money'],
  { payer, held, reserves }: PaymentParties,
  { fee, taken }: PaymentCosts,
): Failure | null => {
  if (payer === null) return failure('insufficient-funds', SOLVER_SHORT)
  const reserved = reserves.base + payer.owned * reserves.increment
  if (isNative(currency)) return payer.balance < taken + reserved ? failure('insufficient-funds', SOLVER_SHORT) : null
  if (payer.balance < fee) return failure('insufficient-funds', 'The solver does not hold enough XRP to pay now.')
  return holds(held, taken) ? null : failure('insufficient-funds', SOLVER_SHORT)
}

const holds = (held: IssuedHolding | null, taken: bigint): boolean =>
  held !== null && held.amount >= taken && !held.isFrozen
