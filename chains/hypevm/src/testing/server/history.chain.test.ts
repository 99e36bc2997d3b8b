import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HyperliquidReader } from '../hyperliquidReader.js'
import type { HyperliquidWallet } from '../hyperliquidWallet.js'
import { startTestedExchange, type TestedExchange, USDC } from '../testedExchange.test.support.js'

const NATIVE = '0x00000000000000000000000000000000'

let tested: TestedExchange
let alice: HyperliquidWallet
let bob: HyperliquidWallet

beforeAll(async () => {
  tested = await startTestedExchange()
})
afterAll(() => tested?.close())

const pair = async () => {
  ;[alice, bob] = [await tested.funded(), await tested.funded()]
}

const send = (more: object = {}) => alice.sendAsset({ destination: bob.address, amount: USDC, ...more })

const signed = async () => alice.sign(await alice.stepOf({ destination: bob.address, amount: USDC }))

describe('ledger updates', () => {
  it('are listed oldest first, in pages, with both ends of a range', async () => {
    await pair()
    const hashes = [await send(), await send(), await send()]
    const node = await tested.chain.addNode({ mostListed: 2 })
    const small = new HyperliquidReader(node)
    const all = await tested.reader.updates(bob.address)
    expect(all.map(({ hash }) => hash).slice(1)).toEqual(hashes)
    const times = all.map(({ time }) => time)
    expect(new Set(times).size).toBe(4)
    const [from = 0, to = 0] = times.slice(1)
    expect((await small.updates(bob.address, from)).map(({ hash }) => hash)).toEqual(hashes.slice(0, 2))
    expect((await tested.reader.updates(bob.address, from, to)).map(({ hash }) => hash)).toEqual(hashes.slice(0, 2))
    await node.close()
  })

  it('of one block have one time', async () => {
    await pair()
    await tested.chain.holdTransactions()
    for (let at = 0; at < 3; at += 1) await alice.post(await signed())
    expect(await tested.reader.updates(bob.address)).toHaveLength(1)
    await tested.chain.releaseTransactions()
    await tested.chain.advance()
    const updates = (await tested.reader.updates(bob.address)).slice(1)
    expect(updates).toHaveLength(3)
    expect(new Set(updates.map(({ time }) => time)).size).toBe(1)
    expect(updates[0]?.time).toBe(await tested.chain.headMs())
  })

  it('and balances of a node that lags are those of its newest block', async () => {
    await pair()
    const node = await tested.chain.addNode({ lag: 2 })
    const late = new HyperliquidReader(node)
    await send()
    await tested.chain.advance()
    const found = async () => [(await late.updates(bob.address)).length, await late.balance(bob.address, NATIVE)]
    expect(await found()).toEqual([1, 100n * USDC])
    await tested.chain.advance()
    expect(await found()).toEqual([2, 101n * USDC])
    await node.close()
  })
})

describe('faults', () => {
  it('an answer is lost, and the action is in a block', async () => {
    await pair()
    await tested.chain.failNext({ method: 'exchange', afterAccepting: true, status: 502 })
    await expect(alice.post(await signed())).rejects.toThrow('502')
    expect(await tested.reader.updates(bob.address)).toHaveLength(2)
  })

  it('an action is taken and lost, and its nonce is free', async () => {
    await pair()
    const body = await signed()
    await tested.chain.failNext({ method: 'exchange', lost: true })
    expect(await alice.post(body)).toMatchObject({ status: 'ok' })
    await tested.chain.advance(2)
    expect(await tested.reader.updates(bob.address)).toHaveLength(1)
    expect(await alice.send(body)).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('an error of the exchange has status 200, one of its API another status', async () => {
    await pair()
    await tested.chain.failNext({ method: 'exchange', error: { code: 0, message: 'Too many requests' } })
    expect(await alice.post(await signed())).toEqual({ status: 'err', response: 'Too many requests' })
    await tested.chain.failNext({ method: 'spotMeta', status: 429 })
    await expect(tested.reader.info('spotMeta')).rejects.toThrow('429')
    await tested.chain.failNext({ method: 'spotMeta', garbage: '<html>' })
    await expect(tested.reader.info('spotMeta')).rejects.toThrow('JSON')
    await tested.chain.refuse('spotMeta')
    await expect(tested.reader.info('spotMeta')).rejects.toThrow('500')
    await tested.chain.refuse('spotMeta', false)
    expect((await tested.chain.counts()).spotMeta).toBe(3)
  })

  it('the explorer limits archived blocks', async () => {
    await pair()
    const hashes = [await send(), await send()]
    await tested.chain.advance(100)
    await tested.chain.setArchiveLimit(1)
    expect(await tested.reader.succeeded(hashes[0] ?? '')).toBe(true)
    await expect(tested.reader.succeeded(hashes[1] ?? '')).rejects.toThrow(
      'More than 1 archived blocks queried in one day',
    )
    await tested.chain.wind(90_000_000)
    expect(await tested.reader.succeeded(hashes[1] ?? '')).toBe(true)
    expect(await tested.reader.succeeded(`0x${'0'.repeat(64)}`)).toBe(false)
  })

  it('a node of another branch shows other hashes of blocks', async () => {
    const forked = await tested.chain.addNode({ forked: true })
    const height = await tested.chain.height()
    const hashOf = async (http: string) => {
      const body = JSON.stringify({ type: 'blockDetails', height })
      const response = await fetch(`${http}/explorer`, {
        ...{ method: 'POST', body, headers: { 'content-type': 'application/json' } },
      })
      return Reflect.get(Object(Reflect.get(Object(await response.json()), 'blockDetails')), 'hash')
    }
    const shown = await hashOf(tested.chain.endpoint.http)
    expect(shown).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await hashOf(forked.endpoint.http)).not.toBe(shown)
    await pair()
    const hash = await send()
    const [own, others] = [
      await tested.reader.updates(bob.address),
      await new HyperliquidReader(forked).updates(bob.address),
    ]
    expect(own.at(-1)?.hash).toBe(hash)
    expect(others.map(({ time }) => time)).toEqual(own.map(({ time }) => time))
    expect(others.at(-1)?.hash).not.toBe(hash)
    await forked.close()
  })
})
