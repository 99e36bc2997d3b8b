import { ServiceError } from '@causeway/core'
import { broadcastInTurn } from '@causeway/core/chain-kit'
import { Transaction } from 'bitcoinjs-lib'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type LocalBitcoin, startLocalBitcoin } from '../testing/index.js'
import type { BitcoinSource, WatchedScript } from './bitcoinSource.js'
import { readRefusal } from './broadcastErrors.js'
import { feePaid } from './chainTransaction.js'
import { CoreSource } from './core/coreSource.js'
import { EsploraSource } from './esplora/esploraSource.js'
import { startRewritingNode } from './rewritingNode.test.support.js'
import { openSourcePool, type SourcePool } from './sourcePool.js'
import { monitorOf } from './testedPool.test.support.js'

let chain: LocalBitcoin
let sources: Readonly<Record<'esplora' | 'core', BitcoinSource>>

const limits = { timeoutMs: 5000, maxBytes: 8_000_000 }

beforeAll(async () => {
  chain = await startLocalBitcoin()
  sources = {
    esplora: new EsploraSource({ url: chain.url, ...limits }),
    core: new CoreSource({ url: chain.rpcUrl, ...limits }),
  }
})

afterEach(() => chain.clearFaults())

afterAll(async () => {
  for (const source of Object.values(sources)) source.close()
  await chain.close()
})

const account = (at: number) => {
  const found = chain.accounts[at]
  if (found === undefined) throw new Error('no such account')
  return found
}

const watched = (at: number): WatchedScript => ({
  address: account(at).addresses.p2wpkh,
  script: account(at).scripts.p2wpkh,
})

/** What both say, which must be the same. */
const both = async <T>(question: (source: BitcoinSource) => Promise<T>): Promise<T> => {
  const [esplora, core] = [await question(sources.esplora), await question(sources.core)]
  expect(plain(esplora)).toEqual(plain(core))
  return esplora
}

/** Bytes as hex and in one order, for comparison. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === 'bigint') return `${part}`
      return part instanceof Uint8Array ? Buffer.from(part).toString('hex') : part
    }) ?? 'null',
  )

interface CoreCall {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** Answers of a node that gives no block as bytes; a forging one leaves the last transaction out of its list. */
const narrowed = (asked: string, answer: string, forging: boolean): string => {
  const calls = JSON.parse(asked.slice(asked.indexOf('['))) as readonly CoreCall[]
  const isBlock = (id: number, verbosity: number) =>
    calls.some((call) => call.id === id && call.method === 'getblock' && call.params[1] === verbosity)
  const answers = JSON.parse(answer) as readonly { readonly id: number; readonly result: { readonly tx: string[] } }[]
  return JSON.stringify(
    answers.map((one) => {
      if (isBlock(one.id, 0)) return { id: one.id, result: null, error: { code: -1, message: 'response too large' } }
      if (!forging || !isBlock(one.id, 1)) return one
      return { ...one, result: { ...one.result, tx: one.result.tx.slice(0, -1) } }
    }),
  )
}

describe('chains.md bvm 4: both APIs tell the same', () => {
  test('head, blocks by height, the first block', async () => {
    const tip = await both((source) => source.tip())
    expect(await both((source) => source.blockAt(tip.height))).toEqual(tip)
    expect(await both((source) => source.blockAt(tip.height + 1n))).toBeNull()
    const first = await both((source) => source.blockAt(0n))
    expect(first).toMatchObject({ height: 0n, previousHash: null, hash: await both((source) => source.genesisHash()) })
  })

  test('a payment is seen while it waits and once it is in a block, with amounts, senders and fee', async () => {
    const id = await chain.pay(account(0), [{ to: watched(1).address, value: 12_345_679n }], {
      fee: 2001n,
      data: 'text',
    })
    const waiting = await both((source) => source.waiting(watched(1)))
    expect(waiting).toHaveLength(1)
    expect(waiting[0]).toMatchObject({ id, block: null })
    expect(waiting[0] && feePaid(waiting[0])).toBe(2001n)
    await chain.mine()
    const tip = await both((source) => source.tip())
    const seen = await both((source) => source.transaction(id))
    expect(seen?.block).toEqual({ height: tip.height, hash: tip.hash, time: tip.time })
    expect(seen?.inputs[0]?.previous?.script).toSatisfy(
      (script: Uint8Array) => Buffer.compare(script, account(0).scripts.p2wpkh) === 0,
    )
    expect(await both((source) => source.waiting(watched(1)))).toEqual([])
    const range = { from: tip.height, to: tip.height }
    expect((await both((source) => source.history(watched(1), range))).map((payment) => payment.id)).toEqual([id])
    const earlier = { from: 0n, to: tip.height - 1n }
    expect((await sources.esplora.history(watched(1), earlier)).map((payment) => payment.id)).not.toContain(id)
    // The same transaction is part of the payer's history: it spends what that held.
    expect((await both((source) => source.history(watched(0), range))).map((payment) => payment.id)).toEqual([id])
    const raw = await both((source) => source.rawTransaction(id))
    expect(Transaction.fromBuffer(raw ?? new Uint8Array()).getId()).toBe(id)
  })

  test('F132: a block that a node gives in no single answer is read by its transactions, and proven like one', async () => {
    const ids = [
      await chain.pay(account(0), [{ to: watched(6).address, value: 500_001n }]),
      await chain.pay(account(3), [{ to: watched(6).address, value: 500_002n }]),
    ]
    await chain.mine()
    const { height } = await sources.core.tip()
    let forged = false
    const node = await startRewritingNode(chain.rpcUrl, (asked, answer) => narrowed(asked, answer, forged))
    const core = new CoreSource({ url: node.url, ...limits })
    const range = { from: height, to: height }
    const seen = await core.history(watched(6), range)
    expect(seen.map(({ id }) => id).sort()).toEqual(ids.toSorted())
    expect(plain(seen)).toEqual(plain(await sources.core.history(watched(6), range)))
    // One transaction less is another block.
    forged = true
    await expect(core.history(watched(6), range)).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
    core.close()
    await node.close()
  })

  test('what is unknown is told as such', async () => {
    const unknown = 'ab'.repeat(32)
    expect(await both((source) => source.transaction(unknown))).toBeNull()
    expect(await both((source) => source.rawTransaction(unknown))).toBeNull()
  })

  test('coins in blocks and in the mempool, without those that a waiting transaction spends', async () => {
    await chain.fund(watched(2).address, 700_001n)
    await chain.pay(account(3), [{ to: watched(2).address, value: 800_000n }])
    const inOrder = async (source: BitcoinSource) =>
      [...(await source.coins(watched(2)))]
        .map(({ coinbase, ...coin }) => coin)
        .sort((left, right) => (left.value < right.value ? -1 : 1))
    const coins = await both(inOrder)
    expect(coins.map(({ value, height }) => [value, height === null])).toEqual([
      [700_001n, false],
      [800_000n, true],
      [100_000_000n, false],
    ])
    const [spent] = coins
    await chain.pay(account(2), [{ to: watched(3).address, value: 600_000n }], {
      coins: [{ txid: spent?.txId ?? '', vout: spent?.index ?? 0, value: 700_001n, form: 'p2wpkh' }],
      change: null,
    })
    expect((await both(inOrder)).map(({ value }) => value)).toEqual([800_000n, 100_000_000n])
    // What waits, in or out, leaves the balance as it is.
    expect(await both((source) => source.balance(watched(2)))).toBe(100_700_001n)
    const ids = async (source: BitcoinSource) => (await source.waiting(watched(2))).map(({ id }) => id).sort()
    expect(await both(ids)).toHaveLength(2)
    await chain.mine()
  })

  test('who spends a coin: nobody, somebody who waits, somebody in a block', async () => {
    const { txid, vout } = await chain.fund(watched(4).address, 50_000n)
    const coin = { txId: txid, index: vout }
    const since = (await sources.esplora.tip()).height
    expect(await both((source) => source.spend(coin, since))).toBeNull()
    const spender = await chain.pay(account(4), [{ to: watched(5).address, value: 40_000n }], {
      coins: [{ txid, vout, value: 50_000n, form: 'p2wpkh' }],
      change: null,
      fee: 10_000n,
    })
    expect(await both((source) => source.spend(coin, since))).toEqual({ txId: spender, confirmations: 0n })
    await chain.mine(3)
    expect(await both((source) => source.spend(coin, since))).toEqual({ txId: spender, confirmations: 3n })
  })

  test('who spent a coin long ago: Core reads some blocks for each question, and goes on with the next', async () => {
    const { txid, vout } = await chain.fund(watched(4).address, 60_000n)
    const coin = { txId: txid, index: vout }
    const since = (await sources.esplora.tip()).height
    expect(await both((source) => source.holds(coin))).toBe(true)
    const spender = await chain.pay(account(4), [{ to: watched(5).address, value: 50_000n }], {
      coins: [{ txid, vout, value: 60_000n, form: 'p2wpkh' }],
      change: null,
      fee: 10_000n,
    })
    expect(await both((source) => source.holds(coin))).toBe(false)
    expect(await both((source) => source.holds({ txId: spender, index: 0 }))).toBe(false)
    await chain.mine(300)
    const answers = []
    for (let question = 0; question < 4; question++) {
      const before = (await chain.callCounts()).getblock ?? 0
      answers.push(await sources.core.spend(coin, since))
      expect(((await chain.callCounts()).getblock ?? 0) - before).toBeLessThanOrEqual(150)
    }
    const found = { txId: spender, confirmations: 300n }
    expect(answers).toEqual([null, null, found, found])
    expect(await sources.esplora.spend(coin, since)).toEqual(found)
    expect(await both((source) => source.holds(coin))).toBe(false)
    expect(await both((source) => source.holds({ txId: 'ab'.repeat(32), index: 0 }))).toBe(false)
  })

  test('fee rates, which Core writes in bitcoins for a thousand bytes', async () => {
    await chain.setFeeRates({ 2: 12_345n, 6: 3000n })
    expect(await both((source) => source.feeRate(2))).toBe(12_345n)
    await chain.setFeeRates({ 6: 3000n, 144: 1000n })
    expect(await both((source) => source.feeRate(2))).toBe(3000n)
    // F167: nobody waits for a day.
    await chain.setFeeRates({ 7: 1000n, 144: 1000n })
    expect(await both((source) => source.feeRate(2))).toBeNull()
    expect(await both((source) => source.feeRate(10))).toBe(1000n)
    await chain.failNext({ status: 404, api: 'esplora', method: 'GET /fee-estimates' })
    expect(await sources.esplora.feeRate(10)).toBeNull()
    await chain.setFeeRates({})
    expect(await both((source) => source.feeRate(2))).toBeNull()
    // Core tells what its full mempool asks for; Esplora does not.
    await chain.setMempoolMinFeeRate(20_000n)
    expect(await sources.core.feeRate(2)).toBe(20_000n)
    await chain.setFeeRates({ 2: 12_345n })
    expect(await sources.core.feeRate(2)).toBe(20_000n)
    await chain.setMempoolMinFeeRate(1000n)
    expect(await sources.core.feeRate(2)).toBe(12_345n)
    await chain.setFeeRates({})
  })
})

describe('F05: what a transaction spends is known, or the node is not believed', () => {
  const failure = { code: 'RPC_HTTP_ERROR' }

  test('Core without the parent of an input, in a block or waiting, gives no answer', async () => {
    const parent = await chain.fund(watched(9).address, 90_000n)
    const coins = [{ ...parent, value: 90_000n, form: 'p2wpkh' as const }]
    const id = await chain.pay(account(9), [{ to: watched(8).address, value: 80_000n }], {
      coins,
      change: null,
      fee: 10_000n,
    })
    await chain.hide(parent.txid, { api: 'rpc' })
    await expect(sources.core.transaction(id)).rejects.toMatchObject(failure)
    await expect(sources.core.waiting(watched(8))).rejects.toMatchObject(failure)
    await chain.mine()
    const { height } = await sources.core.tip()
    await expect(sources.core.history(watched(8), { from: height, to: height })).rejects.toMatchObject(failure)
    await chain.hide(parent.txid, { api: 'rpc', shown: true })
    expect((await both((source) => source.transaction(id)))?.inputs[0]?.previous?.value).toBe(90_000n)
  })

  test('Esplora that leaves out a previous output gives no answer; a coinbase has none', async () => {
    const { txid } = await chain.fund(watched(9).address, 50_000n)
    const node = await startRewritingNode(chain.url, (_, answer) =>
      answer.replace(/"prevout":\{[^{}]*\}/g, '"prevout":null'),
    )
    const source = new EsploraSource({ url: node.url, ...limits })
    await expect(source.transaction(txid)).rejects.toMatchObject(failure)
    const { height } = await source.tip()
    await expect(source.history(watched(9), { from: height, to: height })).rejects.toMatchObject(failure)
    const miner = { address: chain.miner.addresses.p2wpkh, script: chain.miner.scripts.p2wpkh }
    const [coinbase] = await sources.core.history(miner, { from: 1n, to: 1n })
    expect((await source.transaction(coinbase?.id ?? ''))?.inputs).toMatchObject([{ outpoint: null, previous: null }])
    source.close()
    await node.close()
  })

  test('a transaction of a block that left the chain is unknown unless it waits again', async () => {
    const id = await chain.pay(account(9), [{ to: watched(8).address, value: 30_000n }])
    await chain.mine()
    await chain.reorg(1)
    expect(await both((source) => source.transaction(id))).toMatchObject({ block: null })
    await chain.mine()
    await chain.reorg(1, { drop: 'all' })
    expect(await both((source) => source.transaction(id))).toBeNull()
  })
})

describe('broadcasts', () => {
  const rawOf = (transaction: Transaction) => `0x${transaction.toHex()}` as const

  test('the same bytes are known again; a double spend, a low fee and a broken signature are told apart', async () => {
    for (const [at, source] of [sources.esplora, sources.core].entries()) {
      const { txid, vout } = await chain.fund(watched(6).address, 90_000n)
      const coins = [{ txid, vout, value: 90_000n, form: 'p2wpkh' as const }]
      const build = (fee: bigint, value = 90_000n - fee) =>
        chain.build(account(6), [{ to: watched(7).address, value }], { coins, change: null, fee })
      const payment = build(5000n)
      const broken = build(5000n)
      const [signature] = broken.ins[0]?.witness ?? []
      signature?.set([(signature[20] ?? 0) ^ 1], 20)
      expect(await source.broadcast(rawOf(broken)), `${at}`).toMatchObject({ outcome: 'rejected', reason: 'invalid' })
      expect(await source.broadcast(rawOf(build(1n)))).toMatchObject({ outcome: 'rejected', reason: 'underpriced' })
      expect(await source.broadcast(rawOf(payment))).toEqual({ outcome: 'known' })
      expect(await source.broadcast(rawOf(payment))).toEqual({ outcome: 'known' })
      expect(await source.broadcast(rawOf(build(5001n)))).toMatchObject({ outcome: 'rejected', reason: 'underpriced' })
      await chain.mine()
      expect(await source.broadcast(rawOf(build(9000n)))).toMatchObject({
        outcome: 'rejected',
        reason: 'nonce-too-low',
      })
    }
  })

  test('F54: an answer that is lost leaves it unknown, and the node may have it', async () => {
    const payment = chain.build(account(8), [{ to: watched(7).address, value: 1_000_000n }])
    await chain.failNext({ afterAccepting: true, status: 502 })
    await expect(sources.esplora.broadcast(rawOf(payment))).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
    expect(await sources.esplora.transaction(payment.getId())).not.toBeNull()
  })

  test('a refusal in words that nobody knows proves nothing', () => {
    expect(readRefusal('disk full')).toMatchObject({ outcome: 'unknown' })
    expect(readRefusal('sendrawtransaction RPC error: {"code":-26,"message":"min relay fee not met, 1 < 2"}')).toEqual({
      outcome: 'rejected',
      reason: 'underpriced',
      message: 'min relay fee not met, 1 < 2',
    })
  })
})

describe('strange answers and limits', () => {
  test.each([
    ['garbage', { garbage: '{"a":' }],
    ['a status', { status: 503 }],
    ['too many requests', { status: 429 }],
  ])('%s is a ServiceError without the URL', async (_, fault) => {
    for (const source of [sources.esplora, sources.core]) {
      await chain.failNext(fault)
      const error: unknown = await source.tip().catch((error: unknown) => error)
      expect(ServiceError.is(error) && error.code).toBe('RPC_HTTP_ERROR')
      expect(String(error)).not.toContain('127.0.0.1')
    }
  })

  test('answers to many calls that are too large together are asked for in halves; one alone that is stays unread', async () => {
    const coins = []
    for (let at = 0; at < 9; at++) {
      const filling = Array.from({ length: 100 }, () => ({ to: account(5).addresses.p2wpkh, value: 600n }))
      const outputs = [{ to: watched(4).address, value: 20_000n }, ...filling]
      coins.push({
        txid: await chain.pay(chain.miner, outputs, { form: 'p2wpkh', fee: 9000n }),
        vout: 0,
        value: 20_000n,
        form: 'p2wpkh' as const,
      })
    }
    const id = await chain.pay(account(4), [{ to: watched(3).address, value: 170_000n }], { coins, fee: 10_000n })
    const read = async (maxBytes: number) => {
      const source = new CoreSource({ url: chain.rpcUrl, timeoutMs: 5000, maxBytes })
      const found = await Promise.allSettled([source.transaction(id), source.waiting(watched(3))])
      source.close()
      return found.map((item) => (item.status === 'fulfilled' ? 'read' : item.reason.code))
    }
    expect(await read(20_000)).toEqual(['read', 'read'])
    expect(await read(6000)).toEqual(['RPC_HTTP_ERROR', 'RPC_HTTP_ERROR'])
    await chain.mine()
  })

  test('a node that hangs is left after the time limit; an answer that is too large is not read', async () => {
    const hasty = new EsploraSource({ url: chain.url, timeoutMs: 200, maxBytes: 8_000_000 })
    await chain.failNext({ hang: true, api: 'esplora', method: 'GET /blocks/tip/hash' })
    await expect(hasty.tip()).rejects.toMatchObject({ code: 'REQUEST_TIMED_OUT' })
    hasty.close()
    const small = new CoreSource({ url: chain.rpcUrl, timeoutMs: 5000, maxBytes: 50 })
    await expect(small.tip()).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
    small.close()
  })
})

describe('several nodes', () => {
  const poolOf = (urls: readonly (readonly [string, string])[], genesisHash: string) =>
    openSourcePool({
      endpoints: urls.map(([http, provider]) => ({ http, provider })),
      settings: {
        access: urls.map(([http]) => (http.endsWith('/rpc') ? 'core' : 'esplora')),
        genesisHash,
        rpcTimeoutMs: 2000,
        maxAnswerBytes: 8_000_000,
      },
      logger: pino({ level: 'silent' }),
    })

  const broadcast = (pool: SourcePool, transaction: Transaction) =>
    broadcastInTurn(pool, (source) => source.broadcast(`0x${transaction.toHex()}`))

  test('the next node answers when one fails, whichever API it speaks; the other rests', async () => {
    const pool = poolOf(
      [
        [chain.url, 'one'],
        [chain.rpcUrl, 'two'],
      ],
      await sources.core.genesisHash(),
    )
    await pool.ask((source) => source.tip())
    await chain.failNext({ api: 'esplora', status: 500 })
    expect(await pool.ask((source) => source.tip())).toEqual(await sources.core.tip())
    expect(pool.ordered().map(({ name }) => name)).toEqual(['two', 'one'])
    const monitor = monitorOf(pool, 4n)
    expect(monitor.health().map(({ name, state }) => [name, state])).toEqual([
      ['one', 'down'],
      ['two', 'ok'],
    ])
    expect(JSON.stringify(monitor.health())).not.toContain('127.0.0.1')
    pool.close()
  })

  test('a node of another chain is never believed', async () => {
    const pool = poolOf([[chain.url, 'one']], 'ab'.repeat(32))
    await expect(pool.ask((source) => source.tip())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    pool.close()
  })

  test('F54: after a node that did not answer, another one’s refusal proves nothing', async () => {
    const pool = poolOf(
      [
        [chain.url, 'one'],
        [chain.rpcUrl, 'two'],
      ],
      await sources.core.genesisHash(),
    )
    const dust = chain.build(account(9), [{ to: watched(7).address, value: 100n }])
    expect(await broadcast(pool, dust)).toMatchObject({ outcome: 'rejected', reason: 'invalid' })
    await chain.failNext({ api: 'esplora', status: 502 })
    expect(await broadcast(pool, dust)).toMatchObject({ outcome: 'unknown' })
    pool.close()
  })

  test('a payment that one node refuses is sent to the others', async () => {
    const pool = poolOf(
      [
        [chain.rpcUrl, 'one'],
        [chain.url, 'two'],
      ],
      await sources.core.genesisHash(),
    )
    const payment = chain.build(account(9), [{ to: watched(7).address, value: 20_000n }])
    const method = 'sendrawtransaction'
    await chain.failNext({ api: 'rpc', method, error: { code: -26, message: 'mempool min fee not met, 1 < 2' } })
    expect(await broadcast(pool, payment)).toEqual({ outcome: 'known' })
    pool.close()
  })

  test('F05: a node that most others contradict is distrusted until it agrees again; one that is behind lags', async () => {
    const other = await startLocalBitcoin({ funded: 0n })
    const pool = poolOf(
      [
        [chain.url, 'one'],
        [chain.rpcUrl, 'two'],
        [other.url, 'three'],
      ],
      await sources.core.genesisHash(),
    )
    const { chain: ahead } = chain.node
    await other.mine(ahead.height - other.node.chain.height)
    const monitor = monitorOf(pool, 4n)
    const states = async () => {
      await monitor.check()
      return Object.fromEntries(monitor.health().map(({ name, state }) => [name, state]))
    }
    expect(await states()).toEqual({ one: 'ok', two: 'ok', three: 'distrusted' })
    expect(pool.providers.map(({ name }) => name)).toEqual(['one', 'two'])
    await Promise.all([chain.mine(3), other.mine(3)])
    await chain.lag(3, 'esplora')
    expect(await states()).toMatchObject({ one: 'lagging', two: 'ok' })
    expect(pool.ordered()[0]?.name).toBe('two')
    await chain.lag(0)
    expect(await states()).toMatchObject({ one: 'ok', two: 'ok' })
    pool.close()
    await other.close()
  })
})
