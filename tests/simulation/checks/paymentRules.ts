import { type CheckState, depositNames, type ShownDeposit } from './checkState.js'
import { isBelieved, isInvented, worthOf } from './invented.js'
import { type Payment, readPayments, type SignedTransfer } from './payments.js'
import type { Problem } from './problem.js'
import { grouped, indexOf } from './rowIndex.js'
import type { AttemptRow, Rows } from './rows.js'

const STORED = '2: nothing is sent that is not stored with its guards'
const ONCE = 'chain: an order is filled once'
const COVERED = 'chain: no more is paid than the chain ever showed as deposits'
const RIGHT = 'chain: payments go where the order says, at least the minimum'
const FIT = 'chain: an order is filled for what it asks for'
const QUORUM = "3: above the limit nothing moves on one provider's word"
const EXPOSURE = 'F22: what is paid for deposits that left stays within the bound'
const DAY_MS = 86_400_000

/** What the chains themselves show of payments; the database is asked only what they were for. */
export const checkPayments = (state: CheckState, rows: Rows, signed: readonly SignedTransfer[]): Problem[] => {
  const payments = readPayments(signed)
  return [
    ...checkStored(state, rows, signed),
    ...checkOrders(state, rows, payments),
    ...checkRecipients(state, payments),
    ...checkQuorum(state, rows),
    ...checkExposure(state, rows),
  ]
}

const checkStored = ({ forgotten }: CheckState, rows: Rows, signed: readonly SignedTransfer[]): Problem[] => {
  const stored = new Set(rows.attempts.map(({ chain, tx }) => `${chain}:${tx}`))
  const unknown = signed.filter(({ chain, tx }) => !stored.has(`${chain}:${tx}`) && !forgotten.has(tx))
  return [
    ...unknown.map(({ chain, tx, record }) => ({
      invariant: STORED,
      words: `${tx} ${record === null ? 'waits' : 'is in a block'} on chain ${chain} and is not stored`,
    })),
    ...rows.attempts.flatMap((attempt) => {
      const words = faultOf(rows, attempt)
      return words === null ? [] : [{ invariant: STORED, words: `${attempt.tx} ${words}` }]
    }),
  ]
}

/** What is wrong with a stored attempt. Another payment may hold its guards once it is dead; what was found on a chain holds none. */
const faultOf = (rows: Rows, { payout, generation, chain, guards, signed, found }: AttemptRow): string | null => {
  if (!signed) return 'is stored without its bytes'
  if (guards.length === 0) return 'is stored without guards'
  const { holders, liveOf } = indexOf(rows)
  const isLive = liveOf.get(payout)?.includes(generation) ?? false
  const missing = guards.filter((key) => {
    const holder = holders.get(`${chain}:${key}`)
    return holder === undefined || (isLive && holder !== payout)
  })
  return found || missing.length === 0 ? null : `does not hold ${missing.join(', ')}`
}

type Money = Pick<ShownDeposit, 'chain' | 'currency' | 'amount'>

const sumOf = (money: readonly Money[], { chain, currency }: Pick<Money, 'chain' | 'currency'>): bigint =>
  money.reduce((sum, item) => (item.chain === chain && item.currency === currency ? sum + item.amount : sum), 0n)

const checkOrders = (state: CheckState, rows: Rows, payments: readonly Payment[]): Problem[] => {
  const arrived = arrivals(state, rows)
  return [...grouped(payments.map((payment) => [payment.order, payment]))].flatMap(([order, own]) => {
    const fills = own.filter(({ purpose }) => purpose === 'fill')
    const back = own.filter(({ purpose }) => purpose === 'refund' || purpose === 'excess')
    const deposits = arrived.get(order) ?? []
    const once =
      fills.length > 1 ? [{ invariant: ONCE, words: `${order}: ${fills.map(({ tx }) => tx).join(', ')}` }] : []
    // A database that lost what it paid may think otherwise of what was used, until it has found that again.
    const used = own.some(({ tx }) => state.forgotten.has(tx)) ? [] : usedByFill(rows, order)
    return [
      ...once,
      // What is lent comes before any deposit.
      ...(state.ahead.has(order) ? [] : checkFit(state, order, fills, deposits)),
      ...checkCovered(order, { deposits, back, fills, used, lent: state.ahead.has(order) ? 1 : 0 }),
    ]
  })
}

/** Some deposit of the order has its currency, on its chain, and is enough. */
const checkFit = (
  { orders }: CheckState,
  order: string,
  fills: readonly Payment[],
  deposits: readonly Money[],
): Problem[] => {
  const asks = orders.get(order)?.asks
  if (asks === undefined || fills.length === 0) return []
  const fits = deposits.some(
    ({ chain, currency, amount }) => chain === asks.chain && currency === asks.currency && amount >= asks.minimum,
  )
  if (fits) return []
  const came = deposits.map(({ chain, currency, amount }) => `${amount} of ${currency} on chain ${chain}`).join(', ')
  return [{ invariant: FIT, words: `${order}: ${came || 'nothing'} came` }]
}

/** What arrived for each order, or seemed to, on one provider's vote where that was enough. */
const arrivals = (state: CheckState, rows: Rows): ReadonlyMap<string, readonly Money[]> => {
  const { called } = state
  // An operator may assign what names another order.
  const assigned = new Set(rows.deposits.flatMap((row) => (row.given ? [`${row.chain}:${row.tx}`] : [])))
  const shown = [...state.shown].map(([id, deposit]): [string, Money] => [
    (assigned.has(id) ? null : deposit.order) ?? called.get(id) ?? '',
    deposit,
  ])
  // The database may have forgotten that.
  const forgotten = [...state.given].flatMap(([id, order]): [string, Money][] => {
    const deposit = assigned.has(id) ? undefined : state.shown.get(id)
    return deposit === undefined ? [] : [[order, deposit]]
  })
  const believed = [...state.believed.values()].map(({ order, ...row }): [string, Money] => [
    order,
    { ...row, amount: BigInt(row.amount) },
  ])
  // Orders that were made for it before the database lost them; those of one address together are held against what it got (addressRules.ts).
  const remade = [...state.made].flatMap(([id, orders]): [string, Money][] => {
    const deposit = state.shown.get(id)
    const others = [...orders].filter((order) => order !== called.get(id))
    return deposit === undefined ? [] : others.map((order): [string, Money] => [order, deposit])
  })
  return grouped([...shown, ...forgotten, ...remade, ...believed])
}

/** Of the deposit that is filled, what is not returned as an excess. */
const usedByFill = (rows: Rows, order: string): Money[] => {
  const { depositsOf, payoutsOf } = indexOf(rows)
  return (depositsOf.get(order) ?? []).flatMap(({ id, chain, currency, amount, outcome }) => {
    const fill = payoutsOf.get(id)?.find(({ purpose }) => purpose === 'fill')
    if (outcome !== 'fill' || fill === undefined) return []
    return [{ chain, currency, amount: BigInt(amount) - BigInt(fill.excess) }]
  })
}

const checkCovered = (
  order: string,
  of: {
    readonly deposits: readonly Money[]
    readonly back: readonly Payment[]
    readonly fills: readonly Payment[]
    readonly used: readonly Money[]
    /** Fills that need no deposit. */
    readonly lent: number
  },
): Problem[] => {
  const { deposits, back, fills, used, lent } = of
  const refunds = back.filter(({ purpose }) => purpose === 'refund').length
  const excess = back.length - refunds
  const many = fills.length + refunds > Math.max(deposits.length, lent) || excess > fills.length
  const counted = `${fills.length} fills, ${excess} excesses and ${refunds} refunds for ${deposits.length} deposits`
  const over = back.filter((payment) => {
    const filled = fills.length > 0 ? sumOf(used, payment) : 0n
    return sumOf(back, payment) + filled > sumOf(deposits, payment)
  })
  return [
    ...(many ? [{ invariant: COVERED, words: `${order}: ${counted}` }] : []),
    ...over.slice(0, 1).map((payment) => ({
      invariant: COVERED,
      words: `${order}: ${sumOf(back, payment)} went back of ${sumOf(deposits, payment)} that came`,
    })),
  ]
}

const checkRecipients = (state: CheckState, payments: readonly Payment[]): Problem[] => {
  const { orders, refundsTo, shown, believed, options } = state
  const payers = new Set(options.ledgers.map(({ chainId, keys }) => `${chainId}:${keys.payer.address}`))
  const depositories = new Set(options.ledgers.map(({ chainId, depository }) => `${chainId}:${depository}`))
  const depositors = new Set(
    [...shown.values(), ...believed.values()].map(({ chain, depositor }) => `${chain}:${depositor}`),
  )
  const isRight = ({ purpose, order, chain, to, currency, amount }: Payment): boolean => {
    const known = orders.get(order)
    // Its own rules know what its wallet signed.
    if (purpose === 'claim') return true
    if (purpose === 'sweep' || purpose === 'origin') return depositories.has(`${chain}:${to}`)
    if (purpose === 'withdraw') return payers.has(`${chain}:${to}`)
    if (purpose !== 'fill')
      return to === refundsTo.get(order) || depositors.has(`${chain}:${to}`) || hasSent(options, chain, to)
    const { minimum = amount + 1n } = known ?? {}
    return known?.chain === chain && known.currency === currency && known.recipient === to && amount >= minimum
  }
  return payments
    .filter((payment) => !isRight(payment))
    .map(({ purpose, tx, order, amount, currency, to, chain }) => ({
      invariant: RIGHT,
      words: `${purpose} ${tx} of ${order}: ${amount} of ${currency} to ${to} on chain ${chain}`,
    }))
}

/** Whether an account paid to an address that refunds to whoever sent: a sweep may have taken its payment alone (`refundRules.ts`). */
const hasSent = ({ ledgers, addresses }: CheckState['options'], chain: number, account: string): boolean => {
  const told = new Set(addresses?.().flatMap(({ address, toSender }) => (toSender ? [address] : [])))
  const records = ledgers.find(({ chainId }) => chainId === chain)?.records() ?? []
  return records.some(({ status, transfer: { from, to } }) => status === 'success' && from === account && told.has(to))
}

const checkQuorum = (state: CheckState, { deposits }: Rows): Problem[] =>
  deposits.flatMap((deposit) => {
    if (deposit.outcome === null || !isInvented(state, deposit) || isBelieved(state, deposit)) return []
    const words = `deposit ${deposit.id} (${deposit.tx}), worth ${worthOf(state, deposit)}, is decided to ${deposit.outcome}, and no chain ever showed it`
    return [{ invariant: QUORUM, words }]
  })

/** Losses count for a day, as the service counts them. What one provider made up is bounded by the limit of the quorum alone. */
const checkExposure = (state: CheckState, rows: Rows): Problem[] => {
  const { ledgers, limits } = state.options
  const bound = limits.unsettled
  if (bound === null) return []
  return ledgers.flatMap((ledger) => {
    const canonical = new Set(
      ledger.records().flatMap((record) => (record.status === 'success' ? depositNames(record) : [])),
    )
    const lost = rows.deposits.filter(
      (deposit) =>
        deposit.chain === ledger.chainId &&
        deposit.outcomeAt !== null &&
        deposit.outcomeAt > state.now - DAY_MS &&
        !canonical.has(deposit.tx) &&
        !isInvented(state, deposit) &&
        rows.payouts.some(
          ({ deposit: id, purpose, state: standing }) =>
            id === deposit.id && LEFT.has(standing) && (purpose === 'fill' || purpose === 'refund'),
        ),
    )
    const worth = lost.reduce((sum, deposit) => sum + worthOf(state, deposit), 0n)
    if (worth <= bound) return []
    const ids = lost.map(({ id }) => id).join(', ')
    return [{ invariant: EXPOSURE, words: `${ledger.slug}: deposits ${ids} left, worth ${worth} of at most ${bound}` }]
  })
}

/** Standings of payouts that may have landed. */
const LEFT: ReadonlySet<string> = new Set(['signed', 'included', 'final'])
