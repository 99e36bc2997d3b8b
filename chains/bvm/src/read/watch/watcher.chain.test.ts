import { ServiceError } from '@causeway/core'
import { NOTHING_LIVE, type WatchPage } from '@causeway/core/chain'
import { WakeSignal } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NETWORKS } from '../../address/networks.js'
import type { BitcoinSource } from '../../rpc/bitcoinSource.js'
import { CoreSource } from '../../rpc/core/coreSource.js'
import { EsploraSource } from '../../rpc/esplora/esploraSource.js'
import { openSourcePool, type SourcePool } from '../../rpc/sourcePool.js'
import { type LocalBitcoin, startLocalBitcoin } from '../../testing/index.js'
import { type Candidate, type Cursor, decodeCursor, encodeCursor } from './cursor.js'
import { DepositReader } from './depositReader.js'
import { RecheckQueue } from './recheckQueue.js'
import { watchPages } from './watcher.js'

const network = NETWORKS.regtest
const orderId = `0x${'6b'.repeat(32)}`
const limits = { timeoutMs: 10_000, maxBytes: 16_000_000 }

let chain: LocalBitcoin

beforeAll(async () => {
  chain = await startLocalBitcoin()
})

afterEach(async () => {
  await chain.clearFaults()
  await chain.lag(0)
})

afterAll(() => chain.close())

const account = (at: number) => {
  const found = chain.accounts[at]
  if (found === undefined) throw new Error('no such account')
  return found
}

const depositoryOf = (at: number) => ({ address: account(at).addresses.p2wpkh, script: account(at).scripts.p2wpkh })

/** Reads as the watcher does, keeping its cursor as the host stores it. */
const readerOf = async (source: BitcoinSource, at: number, startHeight: bigint | null = null, pool?: SourcePool) => {
  const watched = depositoryOf(at)
  const rules = { network, depository: watched.script }
  const reader = new DepositReader({ watched, rules, live: NOTHING_LIVE, ...(pool === undefined ? {} : { pool }) })
  let cursor: Cursor = await reader.begin(source, startHeight)
  return async () => {
    const events: [string, string][] = []
    const rewinds: bigint[] = []
    for (let behind = true; behind; ) {
      const step = await reader.step(source, cursor)
      if (step === null) return null
      cursor = decodeCursor(JSON.parse(JSON.stringify(encodeCursor(step.cursor))))
      events.push(...step.page.deposits.map(({ state, tx }): [string, string] => [state, tx.id]))
      if (step.page.rewoundTo !== null) rewinds.push(step.page.rewoundTo)
      behind = step.behind
    }
    return { events, rewinds }
  }
}

const deposit = (from: number, to: number, value: bigint, fee = 2000n) =>
  chain.pay(account(from), [{ to: depositoryOf(to).address, value }], { data: orderId, fee })

describe.each([
  ['Esplora', 0, () => new EsploraSource({ url: chain.url, ...limits })],
  ['Bitcoin Core', 1, () => new CoreSource({ url: chain.rpcUrl, ...limits })],
] as const)('chains.md bvm 4: deposits by %s', (_, turn, open) => {
  const depository = 8 + turn
  const user = 2 * turn
  let source: BitcoinSource

  beforeAll(() => {
    source = open()
  })
  afterAll(() => source.close())

  test('K.2: seen in the mempool once, included once it is in a block', async () => {
    const read = await readerOf(source, depository)
    const id = await deposit(user, depository, 50_000n)
    expect(await read()).toEqual({ events: [['seen', id]], rewinds: [] })
    expect(await read()).toEqual({ events: [], rewinds: [] })
    await chain.mine()
    expect(await read()).toEqual({ events: [['included', id]], rewinds: [] })
    expect(await read()).toEqual({ events: [], rewinds: [] })
  })

  test('a deposit that is replaced is dropped; one that no node shows any more is not, until its coins are spent', async () => {
    const read = await readerOf(source, depository)
    const id = await deposit(user, depository, 60_000n)
    const sent = await source.transaction(id)
    const [spent] = sent?.inputs ?? []
    const coin = {
      txid: spent?.outpoint?.txId ?? '',
      vout: spent?.outpoint?.index ?? 0,
      value: spent?.previous?.value ?? 0n,
      form: 'p2wpkh' as const,
    }
    expect((await read())?.events).toEqual([['seen', id]])
    await chain.forget(id)
    expect((await read())?.events).toEqual([])
    await chain.pay(account(user), [{ to: depositoryOf(5).address, value: 70_000n }], { coins: [coin], fee: 20_000n })
    expect((await read())?.events).toEqual([['dropped', id]])
    await chain.mine()
    expect((await read())?.events).toEqual([])
  })

  test('a deposit whose unconfirmed parent no node knows is waited for until it is too old: that proves nothing', async () => {
    const read = await readerOf(source, depository)
    const parent = chain.build(account(user), [{ to: account(user + 1).addresses.p2tr, value: 90_000n }])
    const parentId = await chain.send(parent)
    const coin = { txid: parentId, vout: 0, value: 90_000n, form: 'p2tr' as const }
    const id = await chain.pay(account(user + 1), [{ to: depositoryOf(depository).address, value: 80_000n }], {
      coins: [coin],
      data: orderId,
    })
    expect((await read())?.events).toEqual([['seen', id]])
    const [input] = (await source.transaction(parentId))?.inputs ?? []
    await chain.pay(account(user), [{ to: depositoryOf(5).address, value: 50_000n }], {
      coins: [
        {
          txid: input?.outpoint?.txId ?? '',
          vout: input?.outpoint?.index ?? 0,
          value: input?.previous?.value ?? 0n,
          form: 'p2wpkh',
        },
      ],
      fee: 50_000n,
    })
    expect((await read())?.events).toEqual([])
    await chain.mine(2017)
    expect((await read())?.events).toEqual([['dropped', id]])
  })

  test('what a reorganization puts back into the mempool while it is read is seen after the rewind, not before', async () => {
    let duringRead: (() => Promise<unknown>) | null = null
    const late = new Proxy(source, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (name === 'waiting') {
          return async (...args: Parameters<BitcoinSource['waiting']>) => {
            await duringRead?.()
            duringRead = null
            return target.waiting(...args)
          }
        }
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const read = await readerOf(late, depository)
    const id = await deposit(user, depository, 45_000n)
    await chain.mine()
    expect((await read())?.events).toEqual([['included', id]])
    const { height } = await source.tip()
    duringRead = () => chain.reorg(1)
    expect(await read()).toBeNull()
    expect(await read()).toEqual({ events: [['seen', id]], rewinds: [height - 1n] })
    await chain.mine()
    expect((await read())?.events).toEqual([['included', id]])
  })

  test('a deposit that the history lacked, of a node one block behind the tip, is told with the next block, once', async () => {
    let [lacks, failing] = [true, false]
    const balanced = new Proxy(source, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (name === 'history') {
          return async (...[watched, range]: Parameters<BitcoinSource['history']>) => {
            const payments = await target.history(watched, range)
            return lacks ? payments.filter(({ block }) => block !== null && block.height < range.to) : payments
          }
        }
        if (name === 'waiting' && failing) throw new ServiceError('RPC_HTTP_ERROR', 'as asked for')
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const before = await deposit(user, depository, 46_000n)
    await chain.mine()
    const read = await readerOf(balanced, depository)
    const id = await deposit(user, depository, 47_000n)
    await chain.mine()
    expect((await read())?.events).toEqual([])
    lacks = false
    await chain.mine()
    // A step that fails has told nothing.
    failing = true
    await expect(read()).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
    failing = false
    expect((await read())?.events).toEqual([['included', id]])
    for (let at = 0; at < 3; at++) {
      await chain.mine()
      expect((await read())?.events).toEqual([])
    }
    // What was read before the beginning is no concern of this reader.
    expect((await source.transaction(before))?.block).not.toBeNull()
  })

  test('a reorganization rewinds to the common block; what waits again is seen again, and included again', async () => {
    const read = await readerOf(source, depository)
    const { height } = await source.tip()
    const id = await deposit(user, depository, 40_000n)
    await chain.mine()
    expect((await read())?.events).toEqual([['included', id]])
    await chain.mine()
    expect(await read()).toEqual({ events: [], rewinds: [] })
    await chain.reorg(2)
    expect(await read()).toEqual({ events: [['seen', id]], rewinds: [height] })
    await chain.mine()
    expect(await read()).toEqual({ events: [['included', id]], rewinds: [] })
  })

  test('a rewind tells how many blocks that were read surely left, and no more than that', async () => {
    const watched = depositoryOf(depository)
    const reader = new DepositReader({ watched, rules: { network, depository: watched.script }, live: NOTHING_LIVE })
    let cursor = await reader.begin(source, null)
    for (let block = 0; block < 4; block++) {
      await chain.mine()
      cursor = (await reader.step(source, cursor))?.cursor ?? cursor
    }
    await chain.reorg(3)
    expect((await reader.step(source, cursor))?.page).toMatchObject({ replaced: 3n })
  })

  test('a reorganization deeper than what is remembered goes on from the block below', async () => {
    await chain.mine(4)
    const read = await readerOf(source, depository)
    const { height } = await source.tip()
    await chain.mine(1)
    await chain.reorg(3)
    expect(await read()).toEqual({ events: [], rewinds: [height - 1n] })
    expect(await read()).toEqual({ events: [], rewinds: [] })
  })

  test('a node that is behind teaches nothing', async () => {
    const read = await readerOf(source, depository)
    await chain.mine(3)
    expect(await read()).toEqual({ events: [], rewinds: [] })
    await chain.lag(2)
    expect(await read()).toBeNull()
    await chain.lag(0)
    expect(await read()).toEqual({ events: [], rewinds: [] })
  })

  test('it catches up page by page from an old block, and misses nothing', async () => {
    const { height } = await source.tip()
    const ids: string[] = []
    for (let at = 0; at < 3; at++) {
      ids.push(await deposit(user, depository, 30_000n + BigInt(at)))
      await chain.mine(15)
    }
    const read = await readerOf(source, depository, height + 1n)
    expect((await read())?.events).toEqual(ids.map((id) => ['included', id]))
  })
})

test('pages: a node that fails is asked again, a hint wakes the watcher, and an abort ends it', async () => {
  const watched = depositoryOf(7)
  const logger = pino({ level: 'silent' })
  const source = new EsploraSource({ url: chain.url, ...limits })
  const settings = {
    access: ['esplora'] as const,
    genesisHash: await source.genesisHash(),
    rpcTimeoutMs: 5000,
    maxAnswerBytes: 16_000_000,
  }
  source.close()
  const pool = openSourcePool({ endpoints: [{ http: chain.url }], settings, logger })
  const [wake, stop] = [new WakeSignal(), new AbortController()]
  const rules = { network, depository: watched.script }
  const startHeight = BigInt(chain.node.chain.height)
  const deps = { pool, wake, watched, rules, live: NOTHING_LIVE, startHeight, pollIntervalMs: 600_000, logger }
  const pages: WatchPage[] = []
  const run = (async () => {
    for await (const page of watchPages(null, stop.signal, deps)) pages.push(page)
  })()
  await expect.poll(() => pages.length).toBe(1)
  const id = await deposit(6, 7, 25_000n)
  wake.hint()
  await expect
    .poll(() => pages.at(-1)?.deposits[0])
    .toMatchObject({
      state: 'seen',
      tx: { id },
      position: 0,
      index: 1,
      orderId,
      depositor: depositoryOf(6).address,
      money: { amount: 25_000n },
      block: null,
      fee: 2000n,
    })
  stop.abort()
  await run
  pool.close()
})

describe('false double spends', () => {
  const [user, depository] = [5, 6]

  const poolOf = async () => {
    const source = new EsploraSource({ url: chain.url, ...limits })
    const genesisHash = await source.genesisHash()
    source.close()
    return openSourcePool({
      endpoints: [
        { http: chain.url, provider: 'one' },
        { http: chain.rpcUrl, provider: 'two' },
      ],
      settings: { access: ['esplora', 'core'], genesisHash, rpcTimeoutMs: 5000, maxAnswerBytes: 16_000_000 },
      logger: pino({ level: 'silent' }),
    })
  }

  const replaced = async (id: string, source: BitcoinSource) => {
    const [input] = (await source.transaction(id))?.inputs ?? []
    const { txId: txid = '', index: vout = 0 } = input?.outpoint ?? {}
    const coins = [{ txid, vout, value: input?.previous?.value ?? 0n, form: 'p2wpkh' as const }]
    return () => chain.pay(account(user), [{ to: depositoryOf(4).address, value: 70_000n }], { coins, fee: 30_000n })
  }

  test('a replacement that only waits is believed of two nodes; one in a block of one; none while a node shows the deposit', async () => {
    const pool = await poolOf()
    const [endpoint] = pool.providers
    if (endpoint === undefined) throw new Error('no endpoint')
    const { client: source } = endpoint
    const read = await readerOf(source, depository, null, pool)
    const id = await deposit(user, depository, 50_000n)
    expect((await read())?.events).toEqual([['seen', id]])
    const replace = await replaced(id, source)
    const other = await replace()
    await chain.hide(other, { api: 'rpc' })
    expect((await read())?.events).toEqual([])
    await chain.failNext({ api: 'rpc', status: 500, times: 10 })
    expect((await read())?.events).toEqual([])
    await chain.clearFaults()
    await chain.mine()
    expect((await read())?.events).toEqual([['dropped', id]])
    await chain.hide(other, { api: 'rpc', shown: true })

    const second = await deposit(user, depository, 51_000n)
    expect((await read())?.events).toEqual([['seen', second]])
    const again = await replaced(second, source)
    // One node alone shows neither the deposit nor what it has.
    await chain.hide(second, { api: 'esplora' })
    expect((await read())?.events).toEqual([])
    await chain.hide(second, { api: 'esplora', shown: true })
    await again()
    expect((await read())?.events).toEqual([['dropped', second]])
    await chain.mine()
    pool.close()
  })

  test('deposits beyond those that a node lists are kept, and dropped once they are replaced', async () => {
    const source = new EsploraSource({ url: chain.url, ...limits })
    const read = await readerOf(source, depository)
    const id = await deposit(user, depository, 52_000n)
    expect((await read())?.events).toEqual([['seen', id]])
    const replace = await replaced(id, source)
    for (let at = 0; at < 50; at++) await chain.fund(depositoryOf(depository).address, 1000n, { mine: false })
    const more = (await read())?.events ?? []
    expect(more.map(([state]) => state)).not.toContain('dropped')
    expect((await source.waiting(depositoryOf(depository))).map((waiting) => waiting.id)).not.toContain(id)
    expect((await read())?.events).toEqual([])
    await replace()
    expect((await read())?.events).toContainEqual(['dropped', id])
    source.close()
    await chain.mine()
  })
})

describe('deposits of strangers that leave the mempool', () => {
  const [stranger, other, depository] = [7, 8, 9]
  /** As a node of Esplora; counts what is asked about single transactions. */
  const counted = async () => {
    const counts = await chain.callCounts()
    return Object.entries(counts).reduce((sum, [route, count]) => (route.includes('/tx/') ? sum + count : sum), 0)
  }

  /** A waiting deposit of many inputs; the one at `at` can be spent otherwise by what is returned. */
  const manyInputs = async (inputs: number, at: number) => {
    const outputs = Array.from({ length: inputs }, () => ({ to: account(stranger).addresses.p2wpkh, value: 5000n }))
    const txid = await chain.pay(chain.miner, outputs, { form: 'p2wpkh', fee: 100_000n })
    await chain.mine()
    const coins = outputs.map(({ value }, vout) => ({ txid, vout, value, form: 'p2wpkh' as const }))
    const to = depositoryOf(depository).address
    const id = await chain.pay(account(stranger), [{ to, value: 150_000n }], { coins, fee: 20_000n })
    const replace = () =>
      chain.pay(account(stranger), [{ to: depositoryOf(5).address, value: 2000n }], {
        coins: coins.slice(at, at + 1),
        fee: 3000n,
        change: null,
      })
    return { id, replace }
  }

  test('one of many inputs costs a bounded number of requests at a step; the next inputs have their turn', async () => {
    const source = new EsploraSource({ url: chain.url, ...limits })
    const read = await readerOf(source, depository)
    const { id, replace } = await manyInputs(60, 55)
    expect((await read())?.events).toEqual([['seen', id]])
    await chain.forget(id)
    await replace()
    const told: unknown[] = []
    for (let step = 0; step < 3; step++) {
      const before = await counted()
      told.push((await read())?.events)
      expect((await counted()) - before).toBeLessThanOrEqual(60)
    }
    expect(told).toEqual([[], [], [['dropped', id]]])
    await chain.mine()
    source.close()
  })

  test('a node that refuses these rechecks takes nothing away from what it told of blocks and the mempool', async () => {
    const source = new EsploraSource({ url: chain.url, ...limits })
    const read = await readerOf(source, depository)
    const { id, replace } = await manyInputs(40, 0)
    expect((await read())?.events).toEqual([['seen', id]])
    await chain.forget(id)
    await replace()
    await chain.failNext({ api: 'esplora', method: 'GET /tx/:txid', status: 429, times: 1000 })
    const next = await deposit(other, depository, 30_000n)
    expect((await read())?.events).toEqual([['seen', next]])
    await chain.mine()
    expect((await read())?.events).toEqual([['included', next]])
    await chain.clearFaults()
    expect((await read())?.events).toEqual([['dropped', id]])
    source.close()
  })

  test('candidates are looked at in turn, the longest waiting first, and a turn that failed is over', () => {
    const queue = new RecheckQueue()
    const candidate = (name: string, inputs: number): Candidate => ({
      txId: name,
      position: 0,
      orderId: null,
      amount: 1n,
      depositor: null,
      index: 0,
      spent: Array.from({ length: inputs }, (_, index) => ({ txId: 'aa', index })),
      since: 0n,
      spendableAt: null,
    })
    const all = [...'abcdef'].map((name) => candidate(name, 2))
    const due = (candidates: readonly Candidate[]) =>
      [...queue.due(candidates)].map(({ txId, spent }) => `${txId}${spent.map(({ index }) => ` ${index}`).join('')}`)
    expect(due(all)).toEqual(['a 0 1', 'b 0 1', 'c 0 1', 'd 0 1'])
    expect(due(all)).toEqual(['e 0 1', 'f 0 1', 'a 0 1', 'b 0 1'])
    for (const first of queue.due(all)) if (first.txId === 'c') break
    expect(due(all).map((text) => text[0])).toEqual(['d', 'e', 'f', 'a'])
    const large = candidate('z', 40)
    expect(due([large, ...all.slice(0, 1)]).map((text) => text[0])).toEqual(['a', 'z'])
    expect([...queue.due([large])].map(({ spent }) => [spent[0]?.index, spent.length])).toEqual([[22, 18]])
  })
})

test('a stored cursor that is none is told', () => {
  for (const stored of [
    {},
    'text',
    { blocks: [['x', 'y']], candidates: [] },
    { blocks: [], candidates: [], waiting: 5 },
    [1],
  ]) {
    expect(() => decodeCursor(stored)).toThrow(/cursor/)
  }
})
