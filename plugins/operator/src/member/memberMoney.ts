import type { DepositExplanation, PayoutExplanation, RequestExplanation } from '../explain/explanation.js'
import type { ShownMoney } from '../text/moneyText.js'

/** What became of the money that was given, in one currency of it: `deposited` is the sum of the rest. */
export interface MoneySum {
  readonly chainId: number
  readonly currency: string
  readonly symbol: string | null
  readonly decimals: number | null
  readonly deposited: string
  /** Exchanged for what was paid at the destination. */
  readonly paid: string
  readonly fees: string
  readonly refunded: string
  /** Kept until the operator of the service sends it back. */
  readonly kept: string
  /** Not decided yet, or on its way. */
  readonly open: string
}

/** Payouts of a request that its owner knows of: what the service moves between its own accounts is not among them. */
const OWN_PURPOSES: ReadonlySet<string> = new Set(['fill', 'refund', 'excess'])
const BACK: ReadonlySet<string> = new Set(['refund', 'excess'])
/** On its chain. */
const PAID: ReadonlySet<string> = new Set(['included', 'final'])

export const ownPayouts = ({ payouts }: Pick<RequestExplanation, 'payouts'>): readonly PayoutExplanation[] =>
  payouts.filter(({ purpose }) => OWN_PURPOSES.has(purpose))

export const isPaid = ({ state }: Pick<PayoutExplanation, 'state'>): boolean => PAID.has(state)

const isIn = ({ state }: Pick<DepositExplanation, 'state'>): boolean => state !== 'reorged' && state !== 'failed'

const isSame = (left: ShownMoney, right: Pick<ShownMoney, 'chainId' | 'currency'>): boolean =>
  left.chainId === right.chainId && left.currency === right.currency

const sumOf = (money: readonly ShownMoney[], of: ShownMoney): bigint =>
  money.reduce((sum, item) => (isSame(item, of) ? sum + BigInt(item.amount) : sum), 0n)

/** What the books say of an account over all postings of the request; promises are below zero there. */
const promised = ({ ledger }: RequestExplanation, account: string, of: ShownMoney): bigint =>
  -sumOf(
    ledger.totals.filter((total) => total.account === account),
    of,
  )

/** One line for each currency that was given, by the payouts and the books. */
export const moneySums = (request: RequestExplanation): readonly MoneySum[] => {
  const deposits = request.deposits.filter(isIn).map(({ money }) => money)
  const currencies = deposits.filter((money, at) => deposits.findIndex((other) => isSame(other, money)) === at)
  const done = ownPayouts(request).filter(isPaid)
  const back = done.filter(({ purpose }) => BACK.has(purpose)).map(({ money }) => money)
  return currencies.map((of) => {
    const [deposited, refunded] = [sumOf(deposits, of), sumOf(back, of)]
    const fees = sumOf(
      done.map((payout) => payout.fees),
      of,
    )
    const [kept, open] = [promised(request, 'parked', of), promised(request, 'owed', of)]
    const { chainId, currency, symbol, decimals } = of
    return {
      ...{ chainId, currency, symbol, decimals },
      deposited: `${deposited}`,
      paid: `${deposited - fees - refunded - kept - open}`,
      fees: `${fees}`,
      refunded: `${refunded}`,
      kept: `${kept}`,
      open: `${open}`,
    }
  })
}
