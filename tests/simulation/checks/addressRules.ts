import type { CheckState } from './checkState.js'
import { readPayments, type SignedTransfer } from './payments.js'
import type { Problem } from './problem.js'
import type { ArrivalRow, PlaceRow, Rows } from './rows.js'

const BOOKED = 'address: its books are what came and what its sweeps brought'
const SUMMED = 'address: the ledger says what lies at all of them'
const ONCE = 'chain: what came to an address is paid once for each deposit of it'
const LIES = 'end: what lies at an address is too little for its sweep'
const KNOWN = 'end: what lies at an address is known'

/** Above it a sweep is worth its fee, whatever the currency, smallest unit. */
const DUST = 5_000n

/** What came to addresses, and what became of it, after every step. */
export const checkAddresses = (state: CheckState, rows: Rows, signed: readonly SignedTransfer[]): Problem[] =>
  rows.places.length === 0 && state.made.size === 0
    ? []
    : [...checkBooked(rows), ...checkSummed(rows), ...checkOnce(state, signed)]

const sum = (items: readonly { readonly amount: string }[]): bigint =>
  items.reduce((total, { amount }) => total + BigInt(amount), 0n)

const includedAt = ({ arrivals }: Rows, { address, chain }: PlaceRow, currency: string): readonly ArrivalRow[] =>
  arrivals.filter(
    (row) => row.address === address && row.chain === chain && row.currency === currency && row.state === 'included',
  )

const checkBooked = (rows: Rows): Problem[] =>
  rows.places.flatMap((place) =>
    place.books.flatMap(({ currency, arrived, swept }) => {
      const came = sum(includedAt(rows, place, currency))
      const brought = sum(
        rows.deposits
          .filter((row) => row.shown === place.order && row.chain === place.chain && row.currency === currency)
          .map(({ brought }) => ({ amount: brought })),
      )
      if (came === BigInt(arrived) && brought === BigInt(swept)) return []
      const words = `address ${place.address} on chain ${place.chain}, ${currency}: ${arrived} arrived by the books and ${came} by the payments, ${swept} was swept by the books and ${brought} by the deposits`
      return [{ invariant: BOOKED, words }]
    }),
  )

/** What lies there by the books: what was swept without having been seen counts as having come. */
const heldOf = ({ arrived, swept, gone }: PlaceRow['books'][number]): bigint => {
  const left = BigInt(arrived) - BigInt(swept) - BigInt(gone)
  return left > 0n ? left : 0n
}

const checkSummed = ({ places, books }: Rows): Problem[] => {
  const held = new Map<string, bigint>()
  const add = (key: string, amount: bigint) => held.set(key, (held.get(key) ?? 0n) + amount)
  for (const { chain, books: own } of places) {
    for (const book of own) {
      add(`addresses of ${book.currency} on chain ${chain}`, heldOf(book))
      add(`unswept of ${book.currency} on chain ${chain}`, -heldOf(book))
    }
  }
  for (const { account, chain, currency, amount } of books) {
    if (account === 'addresses' || account === 'unswept')
      add(`${account} of ${currency} on chain ${chain}`, -BigInt(amount))
  }
  return [...held].flatMap(([key, off]) =>
    off === 0n ? [] : [{ invariant: SUMMED, words: `${key} is off by ${-off}` }],
  )
}

/** Fills and refunds of an address' own order and of all that were made for what came to it: no more than its deposits that ever were. */
const checkOnce = (
  { options, shown, made, called, orders, believed }: CheckState,
  signed: readonly SignedTransfer[],
): Problem[] => {
  const told = options.addresses?.() ?? []
  if (told.length === 0) return []
  const addressOf = new Map(told.map(({ orderId }) => [orderId, orderId]))
  const deposits = new Map<string, number>()
  // What one node made up, where its word was enough, is paid too.
  const invented = [...believed].map(([key, row]) => [key, { order: row.shown }] as const)
  for (const [key, { order }] of [...shown, ...invented]) {
    if (order === null || !addressOf.has(order)) continue
    deposits.set(order, (deposits.get(order) ?? 0) + 1)
    for (const own of made.get(key) ?? []) addressOf.set(own, order)
    // What is paid back without an order of its own.
    const name = called.get(key)
    if (name !== undefined && !orders.has(name) && !addressOf.has(name)) addressOf.set(name, order)
  }
  const paid = new Map<string, string[]>()
  for (const { order, purpose, tx } of readPayments(signed)) {
    const address = addressOf.get(order)
    if (address === undefined || (purpose !== 'fill' && purpose !== 'refund')) continue
    paid.set(address, [...(paid.get(address) ?? []), `${purpose} ${tx}`])
  }
  return [...paid].flatMap(([order, all]) => {
    const most = deposits.get(order) ?? 0
    if (all.length <= most) return []
    return [{ invariant: ONCE, words: `${order}: ${all.join(', ')} for ${most} deposits` }]
  })
}

/** What lies at addresses when everything is finished, on every chain and whatever the database knows of them. */
export const checkSwept = (state: CheckState, rows: Rows): Problem[] =>
  (state.options.addresses?.() ?? []).flatMap(({ address }) =>
    state.options.ledgers.flatMap((ledger) =>
      [ledger.coin, ledger.token].flatMap((currency): Problem[] => {
        const { chainId, slug } = ledger
        const lies = ledger.balance(address, currency)
        const name = `${lies} of ${currency} lies at ${address} on ${slug}`
        if (lies > DUST) return [{ invariant: LIES, words: name }]
        const place = rows.places.find(({ account, chain }) => account === address && chain === chainId)
        if (place === undefined) return []
        const book = place.books.find((item) => item.currency === currency)
        const booked = book === undefined ? 0n : heldOf(book)
        const real = new Set(ledger.records().map(({ id }) => id))
        const invented = sum(includedAt(rows, place, currency).filter(({ tx }) => !real.has(tx)))
        const isKnown = booked === lies || BigInt(place.found?.[currency] ?? 0) === lies
        // What a node made up is waited for as long as something else might come.
        if (isKnown || (booked > lies && booked <= lies + invented)) return []
        return [{ invariant: KNOWN, words: `${name}, ${booked} by its books` }]
      }),
    ),
  )
