import type { CurrencyRegistry } from '@causeway/core'
import { AddressText, AmountText, type BalanceMovement, type BalanceStatement, ChainId } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

const money = {
  chainId: ChainId(),
  currency: AddressText(),
  symbol: Type.Union([Type.String(), Type.Null()]),
  decimals: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  amount: AmountText(),
}

/** What a sponsor paid for others within a time. */
export const SpendingSchema = Type.Object(
  {
    wallet: AddressText(),
    from: Type.String({ description: 'ISO 8601, in it.' }),
    to: Type.String({ description: 'ISO 8601, not in it.' }),
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: 'Of UTC.', examples: ['2026-11-01'] }),
        ...money,
        requests: Type.Integer({ minimum: 0 }),
      }),
      { description: 'Oldest first' },
    ),
    requests: Type.Array(
      Type.Object({
        requestId: Type.String(),
        at: Type.String({ description: 'When it was paid last, ISO 8601.' }),
        ...money,
      }),
      { description: 'Newest first' },
    ),
  },
  { title: 'Spending' },
)
type Spending = Static<typeof SpendingSchema>

const PAID: ReadonlySet<BalanceMovement['context']> = new Set(['pay-fees', 'fixed-rate-accounting'])

interface Spent {
  readonly chainId: number
  readonly currency: string
  amount: bigint
  at: number
  readonly requests: Set<string>
}

/** What left the balance for others: a payment that its chain dropped comes back, so a sum may be zero. */
const paidOf = ({ context, changes }: BalanceMovement): bigint =>
  PAID.has(context) && changes.sponsored !== 0n ? -(changes.app + changes.sponsored) : 0n

const grouped = (movements: readonly BalanceMovement[], keyOf: (movement: BalanceMovement) => string | null) => {
  const groups = new Map<string, Spent>()
  for (const movement of movements) {
    const [key, paid] = [keyOf(movement), paidOf(movement)]
    if (key === null || paid === 0n) continue
    const { chainId, currency, requestId, at } = movement
    const name = `${key} ${chainId} ${currency}`
    const group = groups.get(name) ?? { chainId, currency, amount: 0n, at, requests: new Set<string>() }
    group.amount += paid
    group.at = at
    if (requestId !== null) group.requests.add(requestId)
    groups.set(name, group)
  }
  return [...groups]
    .map(([name, group]) => ({ key: name.split(' ')[0] ?? '', ...group }))
    .filter(({ amount }) => amount > 0n)
}

/** What a wallet paid as a sponsor, by day and by request, from its statement. */
export const spendingOf = (
  { wallet, from, to, movements }: BalanceStatement,
  currencies: CurrencyRegistry,
): Spending => {
  const moneyOf = ({ chainId, currency, amount }: Spent) => {
    const known = currencies.find(chainId, currency)
    return { chainId, currency, symbol: known?.symbol ?? null, decimals: known?.decimals ?? null, amount: `${amount}` }
  }
  const iso = (at: number) => new Date(at).toISOString()
  return {
    wallet,
    from: iso(from),
    to: iso(to),
    days: grouped(movements, ({ at }) => iso(at).slice(0, 10)).map((day) => ({
      day: day.key,
      ...moneyOf(day),
      requests: day.requests.size,
    })),
    requests: grouped(movements, ({ requestId }) => requestId)
      .map((request) => ({ requestId: request.key, at: iso(request.at), ...moneyOf(request) }))
      .reverse(),
  }
}
