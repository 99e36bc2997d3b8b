import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { BlockStore } from './blockStore.js'
import { jsonRpc, restApi } from './dialects.js'
import { hostileNodes } from './hostileNodes.js'
import { adoptLedger, LedgerHandle, type LedgerKind, type OpenLedgerOptions, startLedger } from './ledgerHandle.js'
import { LedgerPool } from './ledgerPool.js'
import { type LedgerEngine, type LedgerNode, localLedger } from './localLedger.js'
import { CallError } from './nodeFaults.js'
import type { NodeDialect } from './nodeServer.js'
import { Subscribers } from './subscribers.js'
import { type StateEntry, StateView, VersionedState } from './versionedState.js'

interface Payment {
  readonly id: string
  readonly to: string
  readonly amount: string
}

interface Holding extends StateEntry {
  readonly amount: bigint
}

/** A minimal engine: a payment creates its amount. */
class CoinEngine implements LedgerEngine<Payment> {
  readonly blocks = new BlockStore<Payment>({ idOf: ({ id }) => id, accountsOf: ({ to }) => [to] })
  readonly state = new VersionedState<Holding>()
  readonly #pool = new LedgerPool<Payment>()

  constructor() {
    this.close()
  }

  submit(payment: Payment): string {
    if (BigInt(payment.amount) <= 0n) throw new CallError(-32000, 'NOTHING')
    this.#pool.add(payment)
    return payment.id
  }

  fund(to: string, amount: bigint): void {
    this.submit({ id: `fund:${to}:${amount}`, to, amount: `${amount}` })
  }

  close(): void {
    const transactions = this.#pool.take()
    const { height } = this.blocks.add({ transactions })
    const view = new StateView(this.state.at(height))
    for (const { to, amount } of transactions) {
      view.put({ index: to, amount: (view.get(to)?.amount ?? 0n) + BigInt(amount) })
    }
    this.state.write(height, view.changes())
  }

  undo([first]: readonly { readonly height: number }[]): void {
    if (first !== undefined) this.state.drop(first.height)
  }

  hold(): void {
    this.#pool.hold()
  }

  release(drop: boolean): void {
    this.#pool.release(drop)
  }
}

const dialect = ({ engine, view, run }: LedgerNode<Payment, ReturnType<BlockStore<Payment>['add']>, CoinEngine>) => {
  const heads = new Subscribers<Set<string>>()
  view.onBlock(({ height }) => heads.send((topics) => (topics.has('heads') ? { height } : undefined)))
  const rpc = jsonRpc(
    {
      head: () => view.head,
      block: (height: number) => view.block(height),
      ranges: () => view.ranges(),
      balance: (account: string) => `${engine.state.at(view.head.height).get(account)?.amount ?? 0n}`,
      find: (id: string) => view.find(id)?.block.height ?? null,
      history: (account: string, from = view.since) =>
        view
          .history(account, from)
          .slice(0, view.limit(undefined, 100))
          .map(({ tx }) => tx.id),
      submit: (payment: Payment) => engine.submit(payment),
    },
    run,
  )
  const rest = restApi({ 'GET /accounts/:id': ([id = ''], { query }) => ({ id, at: query.get('at') }) }, run)
  return {
    http: (request) => (request.method === 'POST' ? rpc : rest).http(request),
    socket: (socket) => {
      const topics = heads.add(socket, new Set())
      return async (text) => {
        topics.add(text)
        socket.send(await run('subscribe', () => `subscribed to ${text}`))
      }
    },
  } satisfies NodeDialect
}

const KIND: LedgerKind<LedgerHandle> = {
  module: import.meta.url,
  open: (options: OpenLedgerOptions) => localLedger({ ...options, engine: new CoinEngine(), dialect }),
  blockMs: 0,
  handle: (parts) => new LedgerHandle(parts),
}
const CHAIN_ID = 770_010

let ledger: LedgerHandle
beforeEach(async () => {
  ledger = await startLedger(KIND, { chainId: CHAIN_ID })
})
afterEach(() => ledger?.close())

const post = (body: unknown, { endpoint } = ledger) =>
  fetch(endpoint.http, { method: 'POST', body: JSON.stringify(body) })
// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asks for
const ask = async (method: string, params: readonly unknown[] = [], node = ledger): Promise<any> => {
  const { result, error } = JSON.parse(await (await post({ id: 1, method, params }, node)).text())
  if (error !== undefined) throw new Error(`${error.code} ${error.message}`)
  return result
}
const pay = (id: string) => ask('submit', [{ id, to: 'bob', amount: '5' }])

describe('the ledger', () => {
  it('makes blocks on demand, with what was submitted, each with the hash of the one before', async () => {
    const before = await ask('head')
    await pay('a')
    expect(await ask('find', ['a'])).toBeNull()
    await ledger.advance(2)
    expect(await ask('find', ['a'])).toBe(1)
    expect(await ask('block', [1])).toMatchObject({ parentHash: before.hash, transactions: [{ id: 'a' }] })
    expect(await ledger.height()).toBe(2)
    expect(await ledger.genesisHash()).toBe(before.hash)
  })

  it('makes blocks by time', async () => {
    const timed = await startLedger(KIND, { chainId: CHAIN_ID, blockMs: 5 })
    await expect.poll(() => timed.height()).toBeGreaterThan(1)
    await timed.close()
  })

  it('funds an account in a block', async () => {
    await ledger.fund('bob', 10n ** 20n)
    expect(await ask('balance', ['bob'])).toBe(`${10n ** 20n}`)
    await expect(ledger.fund('bob', 0n)).rejects.toThrow('NOTHING')
  })

  it('winds its clock forward, and no block is older than its parent', async () => {
    const { time } = await ask('head')
    await ledger.wind(3_600_000)
    await ledger.advance()
    const later = (await ask('head')).time
    expect(later - time).toBeGreaterThanOrEqual(3600)
    await ledger.wind(-7_200_000)
    await ledger.advance()
    expect((await ask('head')).time).toBe(later)
  })

  it('replaces the newest blocks, with their transactions and their state', async () => {
    await ledger.fund('bob', 3n)
    const kept = await ask('head')
    await pay('a')
    await ledger.advance()
    const dropped = await ask('head')
    await ledger.reorg?.(1)
    const head = await ask('head')
    expect(head).toMatchObject({ height: dropped.height, parentHash: kept.hash, transactions: [] })
    expect(head.hash).not.toBe(dropped.hash)
    expect([await ask('find', ['a']), await ask('history', ['bob']), await ask('balance', ['bob'])]).toEqual([
      ...[null, ['fund:bob:3'], '3'],
    ])
    const genesis = await ledger.genesisHash()
    await ledger.reorg?.(99)
    expect([await ledger.height(), await ledger.genesisHash()]).toEqual([head.height, genesis])
  })

  it('holds transactions back, and then includes or drops them', async () => {
    await ledger.holdTransactions()
    await pay('a')
    await ledger.advance()
    expect(await ask('find', ['a'])).toBeNull()
    await ledger.releaseTransactions()
    await ledger.advance()
    expect(await ask('find', ['a'])).toBe(2)
    await ledger.holdTransactions()
    await pay('b')
    await ledger.dropTransactions()
    await ledger.advance()
    expect(await ask('find', ['b'])).toBeNull()
  })

  it('is adopted by its id alone, and only its starter ends it', async () => {
    const { endpoint } = ledger
    await expect(adoptLedger(KIND, { chainId: 1, endpoint, pid: null })).rejects.toThrow('is of the network 770010')
    const adopted = await adoptLedger(KIND, { chainId: CHAIN_ID, endpoint, pid: null })
    await adopted.close()
    expect(await ledger.height()).toBe(0)
    await expect(ledger.control('nothing')).rejects.toThrow('no control nothing')
  })
})

describe('a node', () => {
  it('lags by blocks: in heads, transactions, balances and messages', async () => {
    await ledger.lag(1)
    await ledger.fund('bob', 3n)
    expect([await ledger.height(), await ask('find', ['fund:bob:3']), await ask('balance', ['bob'])]).toEqual([
      ...[0, null, '0'],
    ])
    await ledger.lag(0)
    expect([await ledger.height(), await ask('balance', ['bob'])]).toEqual([1, '3'])
  })

  it('forgets all but its newest blocks, or all but ranges, and remembers them', async () => {
    await ledger.fund('bob', 3n)
    await ledger.advance(4)
    await ledger.forget(2)
    expect([await ask('ranges'), await ask('block', [1]), await ask('find', ['fund:bob:3'])]).toEqual([
      ...[[[4, 5]], null, null],
    ])
    expect([await ask('history', ['bob', 0]), await ask('balance', ['bob'])]).toEqual([[], '3'])
    await ledger.show({ kept: '0-1,3' })
    await ledger.advance()
    expect(await ask('ranges')).toEqual([
      ...[
        [0, 1],
        [3, 3],
        [6, 6],
      ],
    ])
    expect(await ask('history', ['bob', 0])).toEqual(['fund:bob:3'])
    for (const kept of [0, 99]) {
      await ledger.forget(kept)
      expect(await ask('ranges')).toEqual([[0, 6]])
    }
  })

  it('has faults of its own, next to an honest node of the same ledger', async () => {
    const other = await ledger.addNode({ lag: 1 })
    await ledger.advance(2)
    await other.failNext({ status: 429 })
    expect((await post({ method: 'head' }, other)).status).toBe(429)
    expect([await ledger.height(), await other.height()]).toEqual([2, 1])
    expect([await ledger.counts(), await other.counts()]).toEqual([{}, { head: 1 }])
    await other.close()
    await expect(other.height()).rejects.toThrow()
    expect(await ledger.height()).toBe(2)
  })

  it('is stale, forked, pruned or of another chain for the conformance kit, or lists two items in a page', async () => {
    await ledger.fund('bob', 1n)
    await ledger.fund('bob', 2n)
    await ledger.fund('bob', 3n)
    const other = () => startLedger(KIND, { chainId: 1 })
    const nodes = hostileNodes(ledger, { other, finalDepth: 1 })
    const [stale, forked, pruned, pages, foreign] = await Promise.all([
      ...[nodes.hostile('stale-head'), nodes.hostile('forked'), nodes.forget(), nodes.smallPages()],
      nodes.hostile('wrong-chain'),
    ])
    // CAST: `ask` uses the endpoint alone.
    const at = (method: string, node: unknown, ...params: unknown[]) => ask(method, params, node as LedgerHandle)
    const head = await ask('head')
    expect((await at('head', stale)).height).toBe(0)
    const branch = await at('head', forked)
    expect(branch).toMatchObject({ height: head.height, time: head.time })
    expect(branch.hash).not.toBe(head.hash)
    expect((await at('block', forked, 2)).hash).toBe(branch.parentHash)
    expect(await at('ranges', pruned)).toEqual([[2, 3]])
    expect(await at('history', pages, 'bob')).toEqual(['fund:bob:1', 'fund:bob:2'])
    expect((await at('block', foreign, 0)).hash).not.toBe(await ledger.genesisHash())
    await Promise.all([stale, forked, pruned, pages, foreign].map((node) => node?.close()))
  })
})

describe('faults', () => {
  it('are of a method, or of any, for a number of calls', async () => {
    await ledger.failNext({ method: 'head', error: { code: -32005, message: 'quota' }, times: 2 })
    expect(await ask('find', ['a'])).toBeNull()
    for (const _ of [1, 2]) await expect(ask('head')).rejects.toThrow('-32005 quota')
    expect((await ask('head')).height).toBe(0)
    await ledger.failNext({ garbage: '<html>' })
    expect(await (await post({ method: 'head' })).text()).toBe('<html>')
    await ledger.failNext({ status: 403, times: 9 })
    await ledger.clearFaults()
    expect((await ask('head')).height).toBe(0)
  })

  it('are a method that is missing', async () => {
    await ledger.refuse('head')
    await expect(ask('head')).rejects.toThrow('-32601')
    await ledger.refuse('head', false)
    expect((await ask('head')).height).toBe(0)
    await expect(ask('nonsense')).rejects.toThrow('-32601')
  })

  it('are an answer that never comes, or comes late', async () => {
    await ledger.failNext({ hang: true })
    const body = JSON.stringify({ method: 'head' })
    const silent = fetch(ledger.endpoint.http, { method: 'POST', body, signal: AbortSignal.timeout(50) })
    await expect(silent).rejects.toThrow()
    await ledger.failNext({ delayMs: 30 })
    const from = performance.now()
    expect((await ask('head')).height).toBe(0)
    expect(performance.now() - from).toBeGreaterThan(25)
  })

  it('are a broadcast that is accepted while its answer is lost, or accepted and never included', async () => {
    await ledger.failNext({ method: 'submit', status: 502, afterAccepting: true })
    expect((await post({ method: 'submit', params: [{ id: 'a', to: 'bob', amount: '1' }] })).status).toBe(502)
    await ledger.failNext({ method: 'submit', lost: true })
    expect(await pay('b')).toBe('b')
    await ledger.advance()
    expect([await ask('find', ['a']), await ask('find', ['b'])]).toEqual([1, null])
  })
})

describe('dialects', () => {
  it('speak JSON-RPC, also in batches, with the errors of the engine', async () => {
    const answers = await post([
      { id: 1, method: 'find', params: ['a'] },
      { id: 2, method: 'submit', params: [{ id: 'a', to: 'bob', amount: '0' }] },
    ])
    expect(await answers.json()).toEqual([
      { jsonrpc: '2.0', id: 1, result: null },
      { jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'NOTHING' } },
    ])
    const unread = await fetch(ledger.endpoint.http, { method: 'POST', body: 'nonsense' })
    expect(unread.status).toBe(400)
  })

  it('speak REST, with routes that have variable segments', async () => {
    const get = (path: string) => fetch(`${ledger.endpoint.http}${path}`)
    expect(await (await get('/accounts/bob?at=3')).json()).toEqual({ id: 'bob', at: '3' })
    expect((await get('/nothing')).status).toBe(404)
    await ledger.failNext({ method: 'GET /accounts/:id', error: { code: 418, message: 'teapot' } })
    expect((await get('/accounts/bob')).status).toBe(418)
  })

  it('push each block over a websocket as soon as the node shows it', async () => {
    const socket = new WebSocket(ledger.endpoint.ws ?? '')
    const heard: unknown[] = []
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve))
    socket.addEventListener('message', ({ data }) => heard.push(JSON.parse(String(data))))
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    socket.send('heads')
    await expect.poll(() => heard).toEqual(['subscribed to heads'])
    await ledger.lag(1)
    await ledger.advance(2)
    await expect.poll(() => heard.slice(1)).toEqual([{ height: 1 }])
    await ledger.lag(0)
    await ledger.reorg?.(1)
    await expect.poll(() => heard.slice(1)).toEqual([{ height: 1 }, { height: 2 }, { height: 2 }])
    await ledger.failNext({ method: 'subscribe', status: 503 })
    socket.send('heads')
    await closed
  })
})
