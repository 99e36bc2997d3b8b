import { type Live, NOTHING_LIVE } from '../../chain/address/depositAddresses.js'
import type { DepositEvent, WatchPage } from '../../chain/chainAdapter.js'
import type { Json } from '../../chain/json.js'
import type { Hex } from '../../money/hex.js'
import type { ConformanceHarness } from './conformanceHarness.js'
import { check, checkOwnId, nativeOf, PATIENCE_SECONDS, there } from './rule.js'

/** When nothing is seen for so long, a block is added: some chains show a deposit only beneath another block. */
const QUIET_MS = 1_000
const STEP_MS = 250

let orders = 0
const run = Date.now().toString(16).padStart(16, '0')

/** An order id that no other rule uses. */
export const newOrderId = (): Hex => {
  orders += 1
  return `0x${'c0'.repeat(16)}${run}${orders.toString(16).padStart(16, '0')}`
}

export const depositsOf = (pages: readonly WatchPage[], orderId: Hex): DepositEvent[] =>
  pages.flatMap(({ deposits }) => deposits).filter((deposit) => deposit.orderId === orderId)

export const keyOf = (deposit: DepositEvent): string => `${deposit.tx.id}:${deposit.position}`

/** The deposits of an order, each identity once. */
export const distinct = (deposits: readonly DepositEvent[]): DepositEvent[] => [
  ...new Map(deposits.map((deposit) => [keyOf(deposit), deposit])).values(),
]

/** A stored cursor, as the database gives it back. */
export const stored = (cursor: Json): Json => JSON.parse(JSON.stringify(cursor))

type Watching = Pick<ConformanceHarness, 'adapter' | 'advance' | 'patienceSeconds'>

/** Reads pages of deposits from a cursor until `enough` says so; adds blocks when nothing comes. Throws when patience ends. */
export const watchUntil = (
  harness: Watching,
  cursor: Json,
  enough: (pages: readonly WatchPage[]) => boolean,
): Promise<WatchPage[]> => readUntil(harness, { cursor, live: NOTHING_LIVE }, enough)

/** Reads pages of a watcher until `enough` says so; adds blocks when nothing comes. Throws when patience ends. */
export const readUntil = async (
  { adapter, advance, patienceSeconds = PATIENCE_SECONDS }: Watching,
  { cursor, live }: { readonly cursor: Json; readonly live: Live },
  enough: (pages: readonly WatchPage[]) => boolean,
): Promise<WatchPage[]> => {
  const stop = new AbortController()
  const limit = setTimeout(() => stop.abort(), patienceSeconds * 1000)
  const begun = performance.now()
  let advancing = Promise.resolve()
  const pump = setInterval(() => {
    if (performance.now() - begun > QUIET_MS) advancing = advancing.then(() => advance(1)).catch(() => undefined)
  }, STEP_MS)
  const pages: WatchPage[] = []
  try {
    for await (const page of adapter.watch(cursor, live, stop.signal)) {
      pages.push(page)
      const mayRewind = adapter.capabilities.absoluteFinality !== true
      check(page.rewoundTo === null || mayRewind, 'the watcher rewinds, but absoluteFinality is declared')
      if (enough(pages)) return pages
    }
  } finally {
    clearTimeout(limit)
    clearInterval(pump)
    stop.abort()
    await advancing
  }
  throw new Error(`watching ${patienceSeconds} seconds did not show what was expected (${pages.length} pages came)`)
}

/** The newest cursor, read once from nothing, as it is stored. */
export const tipCursor = async (harness: ConformanceHarness): Promise<Json> => {
  const tip = (await harness.adapter.tip()).height
  await harness.advance(1)
  const pages = await watchUntil(harness, null, (read) => (read.at(-1)?.height ?? -1n) >= tip)
  return stored(pages.at(-1)?.cursor ?? null)
}

/** The step items of a deposit. */
export const depositItems = ({ adapter, user, amount }: ConformanceHarness, currency: string, orderId: Hex) =>
  adapter.buildDeposit({ from: user.address, money: { currency, amount }, orderId, explicitDeposit: true })

/** Sends every step of a deposit; returns the id of the last transaction. */
export const deposit = async (harness: ConformanceHarness, currency: string, orderId: Hex): Promise<string> => {
  const items = await depositItems(harness, currency, orderId)
  check(items.length > 0, 'buildDeposit gives no step')
  let last = ''
  for (const item of items) last = await harness.user.send(item.data, item)
  return last
}

/**
 * Reads on until the watcher shows a deposit that is made only now: what came before it must be among the pages. The tip
 * would not do, for an adapter may know an old one.
 */
export const watchPast = async (
  harness: ConformanceHarness,
  cursor: Json,
  { currency = nativeOf(harness), live = NOTHING_LIVE }: { readonly currency?: string; readonly live?: Live } = {},
): Promise<WatchPage[]> => {
  const orderId = newOrderId()
  await deposit(harness, currency, orderId)
  return readUntil(harness, { cursor, live }, (read) => {
    const [last] = depositsOf(read, orderId)
    return last !== undefined && (read.at(-1)?.height ?? -1n) >= (last.block?.height ?? 0n)
  })
}

/** Deposits and waits until the watcher shows it. */
export const depositSeen = async (harness: ConformanceHarness, currency: string) => {
  const cursor = await tipCursor(harness)
  const orderId = newOrderId()
  const txId = await deposit(harness, currency, orderId)
  const pages = await watchUntil(harness, cursor, (read) => depositsOf(read, orderId).length > 0)
  const found = there(depositsOf(pages, orderId).at(-1), 'the deposit was not found')
  checkOwnId(harness, found.tx.id)
  return { cursor, orderId, txId, pages, found }
}
