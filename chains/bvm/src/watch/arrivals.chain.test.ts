import type { Arrival, Live, WatchPage } from '@causeway/core/chain'
import { WakeSignal } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { accountOfSeed, deriveDepositAddress } from '../derive/depositAddress.js'
import { NETWORKS } from '../network/networks.js'
import type { BitcoinSource } from '../source/bitcoinSource.js'
import { CoreSource } from '../source/coreSource.js'
import { EsploraSource } from '../source/esplora/esploraSource.js'
import { openSourcePool, type SourcePool } from '../source/sourcePool.js'
import { type LocalBitcoin, startLocalBitcoin } from '../testing/index.js'
import { receivedBy } from './arrivals.js'
import { type Cursor, decodeCursor, encodeCursor } from './cursor.js'
import { DepositReader } from './depositReader.js'
import { watchPages } from './watcher.js'

const network = NETWORKS.regtest
const limits = { timeoutMs: 10_000, maxBytes: 16_000_000 }
const logger = pino({ level: 'silent' })
const root = accountOfSeed(new Uint8Array(32).fill(6), network)

let chain: LocalBitcoin
let salts = 0

beforeAll(async () => {
  chain = await startLocalBitcoin()
})

afterEach(() => chain.clearFaults())

afterAll(() => chain.close())

const newAddress = (): string => {
  salts += 1
  return deriveDepositAddress(root, `0x${salts.toString(16).padStart(64, '0')}`, network).address
}

const account = (at: number) => {
  const found = chain.accounts[at]
  if (found === undefined) throw new Error('no such account')
  return found
}

/** What is live: more of it after the next `refresh`. */
const liveOf = (...addresses: string[]) => {
  const given = new Set(addresses)
  let known = new Set<string>()
  return {
    given,
    refresh: async () => {
      known = new Set(given)
    },
    has: (address: string) => known.has(address),
    get size() {
      return known.size
    },
    awaits: () => false,
  } satisfies Live & { given: unknown }
}

const readingOf = (pool: SourcePool, live: Live) => {
  const { address, script } = deriveDepositAddress(root, `0x${'de'.repeat(32)}`, network)
  return { watched: { address, script }, rules: { network, depository: script }, live, pool }
}

const poolOf = (...urls: readonly string[]): SourcePool =>
  openSourcePool({
    endpoints: urls.map((http, at) => ({ http, provider: `provider ${at}` })),
    settings: {
      access: urls.map((url) => (url.endsWith('/rpc') ? ('core' as const) : ('esplora' as const))),
      genesisHash: network.genesisHash,
      rpcTimeoutMs: 2000,
      maxAnswerBytes: limits.maxBytes,
    },
    logger,
  })

const shortly = ({ state, tx, position, money }: Arrival) => [state, tx.id, position, money.amount] as const

/** Reads as the watcher does, keeping its cursor as the host stores it. */
const readerOf = async (source: BitcoinSource, pool: SourcePool, live: Live) => {
  const reader = new DepositReader(readingOf(pool, live))
  let cursor: Cursor = await reader.begin(source, null)
  return async () => {
    const pages: WatchPage[] = []
    for (let behind = true; behind; ) {
      const step = await reader.step(source, cursor)
      if (step === null) return { pages, arrivals: null }
      cursor = decodeCursor(JSON.parse(JSON.stringify(encodeCursor(step.cursor))))
      pages.push(step.page)
      behind = step.behind
    }
    return { pages, arrivals: pages.flatMap(({ arrivals = [] }) => arrivals) }
  }
}

describe.each([
  ['Esplora', 0, () => new EsploraSource({ url: chain.url, ...limits })],
  ['Bitcoin Core', 1, () => new CoreSource({ url: chain.rpcUrl, ...limits })],
] as const)('chains.md bvm 8: what comes to deposit addresses, by %s', (_, turn, open) => {
  const user = 3 * turn
  let source: BitcoinSource
  let pool: SourcePool

  beforeAll(() => {
    source = open()
    pool = poolOf(turn === 0 ? chain.url : chain.rpcUrl)
  })
  afterAll(() => {
    source.close()
    pool.close()
  })

  test('E.4: seen in the mempool once, included once it is in a block, each output for itself; others are nobody’s', async () => {
    const [first, second] = [newAddress(), newAddress()]
    const read = await readerOf(source, pool, liveOf(first, second))
    const outputs = [
      { to: first, value: 5000n },
      { to: newAddress(), value: 6000n },
      { to: first, value: 7000n },
      { to: second, value: 8000n },
      { to: account(user).addresses.p2tr, value: 9000n },
    ]
    const id = await chain.pay(account(user), outputs)
    const all = (state: string) => [
      [state, id, 0, 5000n],
      [state, id, 1, 7000n],
      [state, id, 0, 8000n],
    ]
    expect((await read()).arrivals?.map(shortly)).toEqual(all('seen'))
    expect((await read()).arrivals).toEqual([])
    const other = await chain.pay(account(user + 1), [{ to: first, value: 5000n }])
    await chain.mine()
    const found = (await read()).arrivals ?? []
    const ofOther = ['included', other, 0, 5000n]
    expect(found.map(shortly)).toEqual(expect.arrayContaining([...all('included'), ofOther]))
    expect(found.filter(({ state }) => state === 'included')).toHaveLength(4)
    const one = found.find(({ tx }) => tx.id === id)
    expect(one).toMatchObject({
      to: { address: first },
      money: { currency: NATIVE },
      sender: account(user).addresses.p2wpkh,
    })
    expect(one?.block?.height).toBe((await source.tip()).height)
    expect((await read()).arrivals).toEqual([])
  })

  test('E.5: it was surely of one address only where all inputs are', async () => {
    const address = newAddress()
    const read = await readerOf(source, pool, liveOf(address))
    const [payer] = [account(user + 2)]
    const mine = await chain.fund(payer.addresses.p2tr, 50_000n)
    const { txid, vout } = await chain.fund(payer.addresses.p2wpkh, 60_000n)
    const coins = [
      { ...mine, value: 50_000n, form: 'p2tr' as const },
      { txid, vout, value: 60_000n, form: 'p2wpkh' as const },
    ]
    await chain.pay(payer, [{ to: address, value: 100_000n }], { coins })
    await chain.mine()
    expect((await read()).arrivals).toMatchObject([{ state: 'included', sender: null, money: { amount: 100_000n } }])
  })

  test('what is replaced is dropped, and what only leaves the mempool is not', async () => {
    const address = newAddress()
    const read = await readerOf(source, pool, liveOf(address))
    const id = await chain.pay(account(user), [{ to: address, value: 60_000n }])
    const [input] = (await source.transaction(id))?.inputs ?? []
    const coin = {
      txid: input?.outpoint?.txId ?? '',
      vout: input?.outpoint?.index ?? 0,
      value: input?.previous?.value ?? 0n,
      form: 'p2wpkh' as const,
    }
    expect((await read()).arrivals?.map(({ state }) => state)).toEqual(['seen'])
    await chain.forget(id)
    expect((await read()).arrivals).toEqual([])
    await chain.pay(account(user), [{ to: account(5).addresses.p2tr, value: 70_000n }], { coins: [coin], fee: 20_000n })
    await chain.mine()
    expect((await read()).arrivals?.map(shortly)).toEqual([['dropped', id, 0, 60_000n]])
    expect((await read()).arrivals).toEqual([])
  })

  test('a block that leaves the chain is told, and what it held is seen again and included at its new place', async () => {
    const address = newAddress()
    const read = await readerOf(source, pool, liveOf(address))
    const id = await chain.pay(account(user), [{ to: address, value: 60_000n }])
    await chain.mine()
    const before = await read()
    expect(before.arrivals?.map(({ state }) => state)).toEqual(['included'])
    const { height } = await source.tip()
    await chain.reorg(1)
    const after = await read()
    expect(after.pages[0]).toMatchObject({ deposits: [], rewoundTo: height - 1n, height: height - 1n })
    expect(after.arrivals?.map(shortly)).toEqual([['seen', id, 0, 60_000n]])
    await chain.mine()
    const [again] = (await read()).arrivals ?? []
    expect(again).toMatchObject({ state: 'included', tx: { id } })
    expect(again?.block?.height).toBeGreaterThan(height)
  })

  test('after a day away all is found once, in pages that are bounded', async () => {
    const address = newAddress()
    const read = await readerOf(source, pool, liveOf(address))
    const ids: string[] = []
    for (let hour = 0; hour < 24; hour++) {
      if (hour % 8 === 0) ids.push(await chain.pay(account(user), [{ to: address, value: 5000n }]))
      await chain.mine(6)
    }
    const { pages, arrivals } = await read()
    expect(arrivals?.map(({ tx, state }) => [state, tx.id])).toEqual(ids.map((id) => ['included', id]))
    expect(pages).toHaveLength(12)
    const { tip } = pages[0] ?? {}
    expect([pages.at(-1)?.height, pages.at(-1)?.rewoundTo]).toEqual([tip, null])
  })

  test('F34: outputs of a coinbase arrive when they can be spent, not before', async () => {
    const miner = chain.miner.addresses.p2wpkh
    const read = await readerOf(source, pool, liveOf(miner))
    const [hash = ''] = await chain.mine()
    const { height } = await source.tip()
    expect((await read()).arrivals).toEqual([])
    await chain.mine(98)
    expect((await read()).arrivals).toEqual([])
    await chain.mine()
    expect((await read()).arrivals).toMatchObject([{ state: 'included', block: { height, hash }, sender: null }])
    expect((await read()).arrivals).toEqual([])
  })

  test('a block costs the same calls with 10 addresses as with 10,000', async () => {
    const addresses = Array.from({ length: 10_000 }, (_, at) => `bcrt1q${at}`)
    const costs: Record<string, number>[] = []
    for (const live of [liveOf(...addresses.slice(0, 10)), liveOf(...addresses), liveOf()]) {
      const read = await readerOf(source, pool, live)
      await chain.pay(account(user), [{ to: newAddress(), value: 5000n }])
      await chain.mine()
      const before = await chain.callCounts()
      await read()
      const after = await chain.callCounts()
      const spent = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      costs.push(Object.fromEntries(spent.filter(([, count]) => count > 0)))
    }
    expect(costs[0]).toEqual(costs[1])
    const [some = 0, , none = 0] = costs.map((cost) => Object.values(cost).reduce((sum, count) => sum + count, 0))
    expect(some).toBeLessThan(20)
    expect(none).toBeLessThan(some)
  })

  test('what is paid to an address that is given while the node is asked is not missed', async () => {
    const address = newAddress()
    const live = liveOf()
    let asked = 0
    const late = new Proxy(source, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (name !== 'tip') return typeof value === 'function' ? value.bind(target) : value
        return async () => {
          asked += 1
          // The second question is that of the first step.
          if (asked === 2) {
            live.given.add(address)
            await chain.pay(account(user), [{ to: address, value: 5000n }])
            await chain.mine()
          }
          return target.tip()
        }
      },
    })
    const read = await readerOf(late, pool, live)
    expect((await read()).arrivals).toMatchObject([{ state: 'included', to: { address } }])
  })

  test('ten thousand transactions of dust that wait are not all remembered', async () => {
    const address = newAddress()
    const waiting = Array.from({ length: 10_000 }, (_, at) => at.toString(16).padStart(64, '0'))
    const { script } = deriveDepositAddress(root, `0x${salts.toString(16).padStart(64, '0')}`, network)
    const outputs = [{ script, value: 300n }]
    const flooded = new Proxy(source, {
      get: (target, name) => {
        if (name === 'mempool') {
          return async (known: ReadonlySet<string>) => ({
            ids: waiting,
            read: waiting.filter((id) => !known.has(id)).map((id) => ({ id, inputs: [], outputs, keys: [] })),
          })
        }
        if (name === 'transaction') return async (id: string) => ({ id, inputs: [], outputs, block: null })
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const reader = new DepositReader(readingOf(pool, liveOf(address)))
    const step = await reader.step(flooded, await reader.begin(flooded, null))
    expect(step?.page.arrivals).toHaveLength(1000)
    expect(JSON.stringify(step?.page.cursor).length).toBeLessThan(400_000)
  })
})

test('a node that does not answer, or sends bytes of another block, is passed over', async () => {
  const address = newAddress()
  const pool = poolOf('http://127.0.0.1:1', chain.url, chain.rpcUrl)
  await chain.failNext({ method: 'GET /block/:hash/raw', garbage: 'no block', times: 3 })
  const stop = new AbortController()
  const polling = { startHeight: null, pollIntervalMs: 20, wake: new WakeSignal(), logger }
  const pages = watchPages(null, stop.signal, { ...readingOf(pool, liveOf(address)), ...polling })
  const first = await pages.next()
  expect(first.value).toMatchObject({ arrivals: [], rewoundTo: null })
  await chain.fund(address, 12_000n)
  for await (const { arrivals = [] } of pages) {
    const found = arrivals.find(({ state }) => state === 'included')
    if (found === undefined) continue
    expect(found.money.amount).toBe(12_000n)
    break
  }
  stop.abort()
  pool.close()
})

test('F13: an output of nothing brings nothing; scripts that no deposit address has are not looked up', () => {
  const address = newAddress()
  const script = deriveDepositAddress(root, `0x${salts.toString(16).padStart(64, '0')}`, network).script
  const longer = Uint8Array.from([0, 32, ...new Array(32).fill(1)])
  const outputs = [0n, 700n, 0n, 900n].map((value) => ({ script, value }))
  const asked: string[] = []
  const live = { has: (text: string) => asked.push(text) > 0 }
  const received = receivedBy({ outputs: [...outputs, { script: longer, value: 5n }] }, live, network)
  expect(received).toEqual([
    { to: address, position: 0, amount: 700n },
    { to: address, position: 1, amount: 900n },
  ])
  expect(asked).toEqual([address, address])
})
