import type { DepositRow, PayoutRow, Rows } from './rows.js'

/** Rows by what they belong to, so that a check costs what there is and not its square. */
export interface RowIndex {
  readonly deposits: ReadonlyMap<number, DepositRow>
  /** By the order that they carry, or what stands in for it. */
  readonly depositsOf: ReadonlyMap<string, readonly DepositRow[]>
  readonly payouts: ReadonlyMap<number, PayoutRow>
  /** By deposit. */
  readonly payoutsOf: ReadonlyMap<number, readonly PayoutRow[]>
  /** Generations that may land, by payout. */
  readonly liveOf: ReadonlyMap<number, readonly number[]>
  /** Payout that holds a guard, by `<chain>:<key>`. */
  readonly holders: ReadonlyMap<string, number>
  /** What stands in an account because of a deposit and its payouts, in its currency; by `<deposit>:<account>`. */
  readonly booked: ReadonlyMap<string, bigint>
}

const indexes = new WeakMap<Rows, RowIndex>()

export const indexOf = (rows: Rows): RowIndex => {
  const known = indexes.get(rows)
  if (known !== undefined) return known
  const deposits = new Map(rows.deposits.map((deposit) => [deposit.id, deposit]))
  const payouts = new Map(rows.payouts.map((payout) => [payout.id, payout]))
  const live = rows.generations.filter(({ state }) => state === 'live')
  const made = {
    deposits,
    depositsOf: grouped(rows.deposits.map((deposit) => [deposit.order, deposit])),
    payouts,
    payoutsOf: grouped(rows.payouts.flatMap((payout) => (payout.deposit === null ? [] : [[payout.deposit, payout]]))),
    liveOf: grouped(live.map(({ payout, generation }) => [payout, generation])),
    holders: new Map(rows.guards.map(({ chain, key, payout }) => [`${chain}:${key}`, payout])),
    booked: sumBooks(rows, deposits, payouts),
  }
  indexes.set(rows, made)
  return made
}

/** Items by their keys. */
export const grouped = <Key, Item>(pairs: readonly (readonly [Key, Item])[]): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>()
  for (const [key, item] of pairs) {
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

const sumBooks = (
  { books }: Rows,
  deposits: ReadonlyMap<number, DepositRow>,
  payouts: ReadonlyMap<number, PayoutRow>,
): Map<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const { cause, account, chain, currency, amount } of books) {
    const [kind, id] = cause.split(':')
    const of = kind === 'deposit' ? Number(id) : kind === 'payout' ? payouts.get(Number(id))?.deposit : null
    const deposit = deposits.get(of ?? -1)
    if (deposit === undefined || deposit.chain !== chain || deposit.currency !== currency) continue
    const key = `${deposit.id}:${account}`
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount))
  }
  return sums
}
