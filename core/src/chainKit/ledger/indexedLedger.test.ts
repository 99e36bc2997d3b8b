import { pino } from 'pino'
import { describe, expect, it, test } from 'vitest'
import { NOTHING_LIVE } from '../../chain/address/depositAddresses.js'
import type { DepositEvent, WatchPage } from '../../chain/chainAdapter.js'
import type { BlockRef, TxRef } from '../../chain/chainReferences.js'
import type { Json } from '../../chain/json.js'
import { ServiceError } from '../../errors/serviceError.js'
import { HeadPace } from '../endpoints/monitor/headPace.js'
import { IndexedLedger, type IndexedLedgerDeps } from './indexedLedger.js'
import type { LedgerSource, PageRequest } from './ledgerSource.js'

const DEPOSITORY = 'depository'

/** A deposit in a block, by its name. */
interface Entry {
  readonly name: string
  readonly height: bigint
}

/** One node of a ledger, with what is wrong with it. */
interface Node {
  readonly name: string
  readonly provider: string
  readonly lateness: 'none'
  head: bigint
  away?: boolean
  since?: bigint
  forgets?: boolean
  /** Marks that it does not know. */
  refuses?: boolean
  /** Transactions that it does not list. */
  hides?: readonly string[]
  /** Marks that it gives without an end. */
  endless?: boolean
  /** The branch that its blocks are of from a height on. */
  fork?: { readonly name: string; readonly from: bigint }
}

const nodeOf = (name: string, head: bigint, changes: Partial<Node> = {}): Node => ({
  name,
  provider: name,
  lateness: 'none',
  head,
  ...changes,
})

const blockAt = ({ fork }: Node, height: bigint): BlockRef => {
  const branch = fork !== undefined && height >= fork.from ? fork.name : 'main'
  return { height, hash: `${branch} ${height}`, time: Number(height) }
}

const eventOf = ({ name, height }: Entry): DepositEvent => ({
  state: 'included',
  tx: { id: name },
  position: 0,
  index: 0,
  orderId: `0x${'ab'.repeat(32)}`,
  depositor: 'user',
  depository: DEPOSITORY,
  money: { currency: 'coin', amount: 5n },
  block: blockAt(nodeOf('any', height), height),
  txData: { from: 'user', to: DEPOSITORY, data: '', value: '5' },
  fee: 1n,
})

/** A ledger whose nodes give two transactions at once. */
class Source implements LedgerSource<Node, Entry> {
  readonly entries: Entry[]
  readonly requests: (PageRequest & { readonly node: string })[] = []
  readonly asked: TxRef[] = []
  readonly block?: NonNullable<LedgerSource<Node, Entry>['block']>

  constructor(entries: readonly Entry[], mayLeave: boolean) {
    this.entries = [...entries]
    if (mayLeave) this.block = async (node, height) => (height > node.head ? null : blockAt(node, height))
  }

  async head(node: Node): Promise<BlockRef> {
    if (node.away === true) throw new ServiceError('RPC_HTTP_ERROR', 'Away.')
    return blockAt(node, node.head)
  }

  async page(node: Node, request: PageRequest) {
    this.requests.push({ ...request, node: node.name })
    if (request.mark !== null && node.refuses === true) throw new ServiceError('RPC_HTTP_ERROR', 'Unknown mark.')
    if (node.endless === true) return { transactions: [], more: this.requests.length }
    const found = this.entries.filter(
      ({ name, height }) => height > request.after && height <= request.upTo && node.hides?.includes(name) !== true,
    )
    const from = Number(request.mark ?? 0)
    const more = from + 2 < found.length ? from + 2 : null
    return {
      transactions: found.slice(from, from + 2),
      more,
      ...(node.since === undefined ? {} : { since: node.since }),
    }
  }

  async transactions(node: Node, txs: readonly TxRef[]) {
    if (node.away === true) throw new ServiceError('RPC_HTTP_ERROR', 'Away.')
    this.asked.push(...txs)
    return txs.map(({ id }) => {
      const found = this.entries.find(({ name, height }) => name === id && height <= node.head)
      return found ?? (node.forgets === true ? ('forgotten' as const) : null)
    })
  }

  readingOf(entry: Entry) {
    const event = eventOf(entry)
    return { status: 'success' as const, block: event.block, deposits: [event] }
  }
}

const ledgerOf = (source: Source, nodes: readonly Node[], changes: Partial<IndexedLedgerDeps<Node, Entry>> = {}) =>
  new IndexedLedger<Node, Entry>({
    source,
    pool: { providers: nodes, providerCount: nodes.length, ordered: () => nodes },
    monitor: { report: () => undefined, distrust: () => undefined },
    account: DEPOSITORY,
    pace: new HeadPace(1000),
    pollIntervalMs: 5,
    settle: 3,
    logger: pino({ level: 'silent' }),
    ...changes,
  })

const namesOf = (pages: readonly WatchPage[]) => pages.flatMap(({ deposits }) => deposits.map(({ tx }) => tx.id))

/** Pages from a cursor on until there are so many. */
const pagesOf = async (ledger: IndexedLedger<Node, Entry>, cursor: Json, count: number): Promise<WatchPage[]> => {
  const stop = new AbortController()
  const pages: WatchPage[] = []
  for await (const page of ledger.watch(cursor, NOTHING_LIVE, stop.signal)) {
    // As the database keeps it.
    pages.push({ ...page, cursor: JSON.parse(JSON.stringify(page.cursor)) as Json })
    if (pages.length === count) stop.abort()
  }
  return pages
}

const FIVE = ['a', 'b', 'c', 'd', 'e'].map((name, at) => ({ name, height: 10n + BigInt(at >> 1) }))
const START = { height: '5', hash: 'main 5', part: null }

describe.each([
  ['stay', false],
  ['may leave', true],
])('where blocks %s', (_, mayLeave) => {
  const start: Json = mayLeave ? START : { ...START, hash: null }

  it('an account is read in order from a cursor on, and no height counts as read while a page ended in the midst of it', async () => {
    const source = new Source(FIVE, mayLeave)
    const pages = await pagesOf(ledgerOf(source, [nodeOf('one', 20n)]), start, 3)
    expect(namesOf(pages)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(pages.map(({ height, tip }) => [height, tip])).toEqual([
      [5n, 20n],
      [5n, 20n],
      [20n, 20n],
    ])
    for (const [at, { cursor }] of pages.slice(0, 2).entries()) {
      const rest = await pagesOf(ledgerOf(source, [nodeOf('one', 20n)]), cursor, 2 - at)
      expect(namesOf(rest)).toEqual(['a', 'b', 'c', 'd', 'e'].slice(2 * at + 2))
    }
  })

  it('a long way is read range by range', async () => {
    const pages = await pagesOf(ledgerOf(new Source(FIVE, mayLeave), [nodeOf('one', 20n)], { range: 5n }), start, 3)
    expect(pages.map(({ height, deposits }) => [height, deposits.length])).toEqual([
      [10n, 2],
      [10n, 2],
      [15n, 1],
    ])
  })

  it('a gap in the history of a node is never taken for no deposits: another one is asked', async () => {
    const source = new Source(FIVE, mayLeave)
    const short = nodeOf('short', 20n, { since: 11n })
    const pages = await pagesOf(ledgerOf(source, [short, nodeOf('whole', 20n)]), start, 3)
    expect(namesOf(pages)).toEqual(['a', 'b', 'c', 'd', 'e'])
    const alone = ledgerOf(new Source(FIVE, mayLeave), [short])
    const said: unknown[] = []
    const logger = { warn: ({ err }: { readonly err: Error }) => void said.push(err.message) }
    const stop = new AbortController()
    const told = ledgerOf(new Source(FIVE, mayLeave), [short], { logger: logger as never })
    const watching = told.watch(start, NOTHING_LIVE, stop.signal)[Symbol.asyncIterator]().next()
    await expect.poll(() => said[0]).toMatch('knows nothing of heights 6 to 10')
    stop.abort()
    expect(await watching).toEqual({ done: true, value: undefined })
    expect(
      (
        await pagesOf(
          alone,
          mayLeave ? { ...START, height: '10', hash: 'main 10' } : { ...(start as object), height: '10' },
          2,
        )
      ).length,
    ).toBe(2)
  })

  it('a node behind the cursor says nothing; where none is further, nothing is told and nothing goes back', async () => {
    const source = new Source(FIVE, mayLeave)
    const [late, good] = [nodeOf('late', 3n), nodeOf('good', 20n)]
    expect(namesOf(await pagesOf(ledgerOf(source, [late, good]), start, 3))).toHaveLength(5)
    const ledger = ledgerOf(new Source(FIVE, mayLeave), [late])
    const stop = new AbortController()
    const pages: WatchPage[] = []
    const watching = (async () => {
      for await (const page of ledger.watch(start, NOTHING_LIVE, stop.signal)) pages.push(page)
    })()
    await new Promise(setImmediate)
    late.head = 9n
    await expect.poll(() => pages.length).toBe(1)
    stop.abort()
    await watching
    expect(pages[0]).toMatchObject({ height: 9n, rewoundTo: null, deposits: [] })
  })

  it('a mark that no node knows has its range read again', async () => {
    const source = new Source(FIVE, mayLeave)
    const [first] = await pagesOf(ledgerOf(source, [nodeOf('one', 20n)]), start, 1)
    const again = ledgerOf(source, [nodeOf('other', 20n, { refuses: true })])
    expect(namesOf(await pagesOf(again, first?.cursor ?? null, 1))).toEqual(['a', 'b'])
  })

  it('a watcher without a cursor begins above the newest block, or where it is told', async () => {
    const node = nodeOf('one', 20n)
    const source = new Source([...FIVE, { name: 'new', height: 21n }], mayLeave)
    const ledger = ledgerOf(source, [node])
    const pages = pagesOf(ledger, null, 1)
    await new Promise((resolve) => setTimeout(resolve, 0))
    node.head = 21n
    expect(namesOf(await pages)).toEqual(['new'])
    const told = ledgerOf(source, [node], { startHeight: 12n })
    expect(namesOf(await pagesOf(told, null, 1))).toEqual(['e', 'new'])
  })
})

describe('F107: what one node left out', () => {
  it('is found at another one once it has settled, and what was read again is told', async () => {
    const nodes = [nodeOf('one', 20n, { hides: ['a', 'd'] }), nodeOf('two', 20n)]
    const ledger = ledgerOf(new Source(FIVE, true), nodes, { againMs: 0 })
    const pages = await pagesOf(ledger, START, 2)
    expect(new Set(namesOf(pages))).toEqual(new Set(['a', 'b', 'c', 'd', 'e']))
    expect(pages[1]).toMatchObject({ again: { after: 5n, upTo: 17n }, cursor: { height: '20', checked: '17' } })
  })

  it('is found too where a node was believed to have come further than it has', async () => {
    const [ahead, good] = [
      nodeOf('ahead', 30n, { hides: ['late', ...FIVE.map(({ name }) => name)] }),
      nodeOf('good', 20n),
    ]
    const source = new Source([...FIVE, { name: 'late', height: 25n }], false)
    const [first] = await pagesOf(ledgerOf(source, [ahead], { againMs: 0, settle: 0 }), { ...START, hash: null }, 1)
    expect(first).toMatchObject({ height: 30n, deposits: [] })
    good.head = 26n
    const again = await pagesOf(
      ledgerOf(source, [ahead, good], { againMs: 0, settle: 0 }),
      { height: '30', checked: '5', hash: null, part: null },
      1,
    )
    expect(namesOf(again)).toEqual(['a', 'b', 'c', 'd', 'e', 'late'])
    expect(again[0]).toMatchObject({ again: { after: 5n, upTo: 26n }, cursor: { height: '30', checked: '26' } })
  })

  it('is not looked for above what has settled, nor where the other node is behind', async () => {
    const nodes = [nodeOf('one', 20n), nodeOf('two', 6n)]
    const [page] = await pagesOf(ledgerOf(new Source([], true), nodes, { againMs: 0 }), START, 1)
    expect(page).toMatchObject({ height: 20n, cursor: { checked: '5' } })
    expect(page?.again).toBeUndefined()
  })
})

describe('F160: a node without an end, or with heights that it invented', () => {
  it('is left: the range is read from the next one', async () => {
    const source = new Source(FIVE, false)
    const ledger = ledgerOf(source, [nodeOf('one', 20n, { endless: true }), nodeOf('two', 20n)])
    const stop = new AbortController()
    const names: string[] = []
    for await (const { deposits, height } of ledger.watch({ ...START, hash: null }, NOTHING_LIVE, stop.signal)) {
      names.push(...deposits.map(({ tx }) => tx.id))
      if (height === 20n) stop.abort()
    }
    expect(new Set(names)).toEqual(new Set(['a', 'b', 'c', 'd', 'e']))
  })

  it('cannot make the next one leave transactions out by its mark', async () => {
    const source = new Source(FIVE, false)
    const [odd, honest] = [nodeOf('odd', 20n, { endless: true }), nodeOf('honest', 20n)]
    const stop = new AbortController()
    const names: string[] = []
    for await (const page of ledgerOf(source, [odd, honest]).watch(
      { ...START, hash: null },
      NOTHING_LIVE,
      stop.signal,
    )) {
      names.push(...namesOf([page]))
      // Its mark is beyond all that is listed.
      if (source.requests.length > 10) odd.away = true
      if (page.height === 20n) stop.abort()
    }
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('does not hold up the second reading', async () => {
    const nodes = [nodeOf('one', 20n, { hides: ['a'] }), nodeOf('two', 20n, { endless: true }), nodeOf('three', 20n)]
    const ledger = ledgerOf(new Source(FIVE, true), nodes, { againMs: 0 })
    const stop = new AbortController()
    const names: string[] = []
    const watching = (async () => {
      for await (const page of ledger.watch(START, NOTHING_LIVE, stop.signal)) names.push(...namesOf([page]))
    })()
    await expect.poll(() => names).toContain('a')
    stop.abort()
    await watching
  })

  it('does not take the cursor beyond the ledger for good', async () => {
    const liar = nodeOf('liar', 1_000_000n, { hides: FIVE.map(({ name }) => name) })
    const options = { settle: 0, againMs: 60_000, range: 1_000_000n, behindMs: 20 }
    const [poisoned] = await pagesOf(ledgerOf(new Source(FIVE, false), [liar], options), { ...START, hash: null }, 1)
    expect(poisoned?.height).toBe(1_000_000n)
    const honest = ledgerOf(new Source(FIVE, false), [nodeOf('honest', 20n)], options)
    const [back, ...read] = await pagesOf(honest, poisoned?.cursor ?? null, 4)
    expect(back).toMatchObject({ height: 5n, rewoundTo: 5n, deposits: [] })
    expect(namesOf(read)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
})

test('blocks that left the chain send the watcher back to one that surely stayed', async () => {
  const node = nodeOf('one', 30n, { fork: { name: 'other', from: 20n } })
  const cursor = { height: '25', hash: 'main 25', part: null }
  const [first, second] = await pagesOf(ledgerOf(new Source([], true), [node]), cursor, 2)
  expect(first).toMatchObject({ rewoundTo: 9n, height: 9n, cursor: { height: '9', hash: 'main 9' } })
  expect(second).toMatchObject({ rewoundTo: null, height: 30n, cursor: { hash: 'other 30' } })
})

test('a range whose end was replaced while it was read in part is read again', async () => {
  const node = nodeOf('one', 20n)
  const source = new Source(FIVE, true)
  const [first] = await pagesOf(ledgerOf(source, [node]), START, 1)
  node.fork = { name: 'other', from: 11n }
  await pagesOf(ledgerOf(source, [node]), first?.cursor ?? null, 1)
  expect(source.requests.at(-1)).toMatchObject({ after: 5n, mark: null })
})

test('a cursor of another watcher is refused', async () => {
  const pages = ledgerOf(new Source([], false), [nodeOf('one', 5n)]).watch(
    { slot: 7 },
    NOTHING_LIVE,
    new AbortController().signal,
  )
  await expect(pages[Symbol.asyncIterator]().next()).rejects.toThrow('not one of this ledger')
})

test('a deposit is looked up by its locator; a node that may have forgotten it does not deny it', async () => {
  const source = new Source(FIVE, false)
  const ledger = ledgerOf(source, [nodeOf('one', 20n), nodeOf('two', 20n)])
  const tx = { id: 'a', locator: { lt: '7' } }
  expect(await ledger.recheckDeposits([{ tx, position: 0 }])).toMatchObject([{ finding: 'present' }])
  expect(source.asked).toEqual([tx, tx])
  const gone = { tx: { id: 'gone' }, position: 0 }
  expect(await ledger.recheckDeposits([gone])).toMatchObject([{ finding: 'missing' }])
  const forgetful = ledgerOf(source, [nodeOf('one', 20n, { forgets: true })])
  await expect(forgetful.recheckDeposits([gone])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(await forgetful.findTransaction({ id: 'gone' })).toMatchObject({ status: 'unknown' })
  expect(await forgetful.findTransaction(tx)).toMatchObject({ status: 'success', block: { height: 10n } })
})

test('invariant 3: a deposit is confirmed by as many providers as are asked for, at the depth asked for', async () => {
  const claim = {
    tx: { id: 'e' },
    position: 0,
    money: { currency: 'coin', amount: 5n },
    orderId: `0x${'ab'.repeat(32)}`,
  } as const
  const ledger = ledgerOf(new Source(FIVE, true), [nodeOf('one', 14n), nodeOf('two', 13n)])
  expect(await ledger.confirmDeposit(claim, { agreeing: 2, confirmations: 2 })).toBe(true)
  expect(await ledger.confirmDeposit(claim, { agreeing: 2, confirmations: 3 })).toBe(false)
  const alone = ledgerOf(new Source(FIVE, true), [nodeOf('one', 14n), nodeOf('two', 13n, { away: true })])
  await expect(alone.confirmDeposit(claim, { agreeing: 2 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})
