import { expect, it } from 'vitest'
import type { Live } from '../../chain/address/depositAddresses.js'
import type { WatchPage } from '../../chain/chainAdapter.js'
import type { Json } from '../../chain/json.js'
import { WakeSignal } from '../heads/wakeSignal.js'
import { readCursor } from '../ledger/ledgerCursor.js'
import { LedgerReader } from '../ledger/ledgerReader.js'
import { watchLoop } from '../watch/watchLoop.js'
import { accountArrivals } from './accountArrivals.js'
import {
  ACCOUNT,
  arrivalsOf,
  type Entry,
  type Node,
  nodeOf,
  silent,
  TaggedLedger,
} from './taggedLedger.test.support.js'

const came = (name: string, height: bigint, part: string): Entry => ({ name, height, part, amount: 5n })

const liveOf = (...first: readonly string[]): Live & { given: string[] } => {
  const known = new Set<string>()
  const live = {
    given: [...first],
    refresh: async () => {
      for (const part of live.given) known.add(part)
    },
    has: (part: string) => known.has(part),
    awaits: () => false,
    get size() {
      return known.size
    },
  }
  return live
}

/** Pages until one has come to a height. */
const readTo = async (
  height: bigint,
  { ledger, nodes, live, cursor }: { ledger: TaggedLedger; nodes: readonly Node[]; live: Live; cursor: Json },
): Promise<readonly WatchPage[]> => {
  const pool = { ordered: () => nodes }
  const arrivals = accountArrivals<Node, Entry>({ source: ledger, account: ACCOUNT, arrivalsOf })
  const source = {
    head: (node: Node) => ledger.head(node),
    page: async () => ({ transactions: [], more: null }),
    readingOf: () => ({ deposits: [] }) as never,
  }
  const reader = new LedgerReader<Node, Entry>({ source, pool, account: 'depository', arrivals }, live)
  const stop = new AbortController()
  const pages: WatchPage[] = []
  const watching = watchLoop(stop.signal, {
    begin: async () => (cursor === null ? reader.begin() : readCursor(cursor)),
    step: (at) => reader.step(at),
    ...{ wake: new WakeSignal(), pollIntervalMs: 5, logger: silent },
  })
  for await (const page of watching) {
    pages.push(page)
    if (page.height >= height) break
  }
  stop.abort()
  return pages
}

const namesOf = (pages: readonly WatchPage[]) => pages.flatMap(({ arrivals = [] }) => arrivals.map(({ tx }) => tx.id))

const FROM_5 = { height: '5', checked: '5', hash: null, part: null }

it('shows what comes to live addresses, and of the account’s other transactions nothing', async () => {
  const ledger = new TaggedLedger([came('a', 6n, '7'), came('b', 7n, '8'), { ...came('c', 8n, '7'), amount: -5n }])
  const pages = await readTo(9n, { ledger, nodes: [nodeOf('one', 9n)], live: liveOf('7'), cursor: FROM_5 })
  expect(namesOf(pages)).toEqual(['a'])
  expect(pages.every(({ rewoundTo }) => rewoundTo === null)).toBe(true)
})

it('asks for nothing while no address is live, and knows one that was given before the page was told', async () => {
  const ledger = new TaggedLedger([came('a', 6n, '7')])
  const live = liveOf()
  expect(namesOf(await readTo(9n, { ledger, nodes: [nodeOf('one', 9n)], live, cursor: FROM_5 }))).toEqual([])
  expect(ledger.requests).toEqual([])
  live.given.push('7')
  expect(namesOf(await readTo(9n, { ledger, nodes: [nodeOf('one', 9n)], live, cursor: FROM_5 }))).toEqual(['a'])
})

it('without a cursor begins at the newest height, and goes on from the cursor of a page', async () => {
  const ledger = new TaggedLedger([came('a', 6n, '7')])
  const node = nodeOf('one', 9n)
  const begun = readTo(12n, { ledger, nodes: [node], live: liveOf('7'), cursor: null })
  await new Promise(setImmediate)
  node.head = 12n
  ledger.entries.push(came('b', 11n, '7'))
  const pages = await begun
  expect(namesOf(pages)).toEqual(['b'])
  node.head = 15n
  ledger.entries.push(came('c', 14n, '7'))
  const cursor = pages.at(-1)?.cursor ?? null
  expect(namesOf(await readTo(15n, { ledger, nodes: [node], live: liveOf('7'), cursor }))).toEqual(['c'])
})

it('passes over a node that lacks the history above the cursor', async () => {
  const ledger = new TaggedLedger([came('a', 6n, '7')])
  const nodes = [nodeOf('one', 9n, { since: 8n }), nodeOf('two', 9n)]
  expect(namesOf(await readTo(9n, { ledger, nodes, live: liveOf('7'), cursor: FROM_5 }))).toEqual(['a'])
})
