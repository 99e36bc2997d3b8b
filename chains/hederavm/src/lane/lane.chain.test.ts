import { NOTHING_LIVE, type Payout, type SignedAttempt } from '@causeway/core/chain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { HederaAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import {
  HBAR,
  type HederaWorld,
  newKey,
  only,
  openHederaWorld,
  signOne,
  WINDOW_SECONDS,
} from '../hederaWorld.test.support.js'
import { readPrepared } from '../payout/paymentForm.js'
import { partsOf } from './signPayment.js'

let world: HederaWorld
let adapter: HederaAdapter

beforeAll(async () => {
  world = await openHederaWorld()
  adapter = world.adapterOver()
  await adapter.start(new AbortController().signal)
}, 60_000)

afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

afterEach(async () => {
  await world.chain.clearFaults()
  await world.chain.lag(0)
})

const balanceOf = (account: string): Promise<bigint> => world.reader.balance(account, NATIVE)

const send = async (attempt: SignedAttempt) => {
  const result = only(await adapter.lane.broadcast([attempt]))
  return result.outcome === 'rejected' ? result.reason : result.outcome
}

const stateOf = async ({ txId }: SignedAttempt, payout: Payout) => only(await adapter.lane.states([{ txId, payout }]))

const verdict = ({ guards, txId }: SignedAttempt) => adapter.lane.payoutVerdict(guards, [txId])

/** Waits until the adapter follows the newest block. */
const caughtUp = async (): Promise<void> => {
  const height = BigInt(await world.chain.height())
  await expect.poll(async () => (await adapter.tip()).height, { timeout: 10_000 }).toBeGreaterThanOrEqual(height)
}

const pay = async (more: Partial<Payout> = {}) => {
  const to = await world.freshAccount()
  const payout = world.payout(to, more)
  return { to, payout, attempt: await signOne(adapter, world, payout) }
}

describe('a payment', () => {
  it('has one id, and bytes for several consensus nodes, before any of them has it', async () => {
    const { attempt, payout } = await pay()
    const { nodes, payer } = readPrepared(attempt.transaction)
    expect(nodes).toHaveLength(3)
    expect(new Set(nodes).size).toBe(3)
    expect(await partsOf(attempt.raw)).toHaveLength(3)
    expect(attempt.txId.startsWith(`${world.solverId}@`)).toBe(true)
    expect(payer).toBe(world.solverId)
    expect(attempt.txId).toMatch(/@\d+\.\d{9}$/)
    expect((await stateOf(attempt, payout)).status).toBe('missing')
  })

  it('that several nodes take is paid once, and a duplicate counts as taken', async () => {
    const { to, attempt, payout } = await pay()
    expect(await send(attempt)).toBe('known')
    expect(await send(attempt)).toBe('known')
    await world.chain.advance()
    expect(await send(attempt)).toBe('known')
    await world.chain.advance()
    expect(await balanceOf(to)).toBe(HBAR)
    expect(await stateOf(attempt, payout)).toMatchObject({ status: 'success', paid: HBAR, revert: null })
    expect(await verdict(attempt)).toBe('landed')
  })

  it('that one node is too busy for, or cannot be reached for, goes to the next', async () => {
    const { to, attempt } = await pay()
    const [busy = '', dead = ''] = readPrepared(attempt.transaction).nodes
    await world.chain.failNext({ method: 'cryptoTransfer', node: busy, error: { code: 0, message: 'BUSY' } })
    await world.chain.failNext({ method: 'cryptoTransfer', node: dead })
    expect(await send(attempt)).toBe('known')
    await world.chain.advance()
    expect(await balanceOf(to)).toBe(HBAR)
  })

  it('that every node is too busy for is unknown, never rejected, and the same bytes land later', async () => {
    const { to, attempt } = await pay()
    await world.chain.setThrottle(0)
    expect(await send(attempt)).toBe('unknown')
    expect(await verdict(attempt)).toBe('alive')
    await world.chain.setThrottle(null)
    expect(await send(attempt)).toBe('known')
    await world.chain.advance()
    expect(await balanceOf(to)).toBe(HBAR)
  })

  it('whose answers were all lost is unknown, and paid once', async () => {
    const { to, attempt } = await pay()
    await world.chain.failNext({ method: 'cryptoTransfer', lost: true, times: 1 })
    await send(attempt)
    await send(attempt)
    await world.chain.advance()
    expect(await balanceOf(to)).toBe(HBAR)
  })
})

describe('the window of a payment', () => {
  it('that passed while no node could be reached makes it dead, and only then it is made again, under another id', async () => {
    const { to, attempt, payout } = await pay()
    await world.chain.failNext({ method: 'cryptoTransfer', times: 20 })
    expect(await send(attempt)).toBe('unknown')
    await world.chain.clearFaults()
    expect(await verdict(attempt)).toBe('alive')
    await world.chain.wind((WINDOW_SECONDS - 20) * 1000)
    await world.chain.advance(2)
    expect(await verdict(attempt)).toBe('alive')
    await world.chain.wind(30_000)
    await world.chain.advance(2)
    expect(await verdict(attempt)).toBe('dead')
    expect(await send(attempt)).toBe('expired')
    await caughtUp()
    const again = await signOne(adapter, world, payout)
    expect(again.txId).not.toBe(attempt.txId)
    expect(await send(again)).toBe('known')
    await world.chain.advance()
    expect(await balanceOf(to)).toBe(HBAR)
  })

  it('is read at the mirror node: one that is a minute behind calls no payment dead', async () => {
    await caughtUp()
    const { attempt } = await pay()
    // Accepted by a node and shown by no mirror node yet.
    expect(await send(attempt)).toBe('known')
    await world.chain.advance()
    await world.chain.lag(30)
    await world.chain.wind((WINDOW_SECONDS + 30) * 1000)
    await world.chain.advance(3)
    expect(await verdict(attempt)).toBe('alive')
    await world.chain.lag(0)
    expect(await verdict(attempt)).toBe('landed')
    await caughtUp()
  })

  it('is not over while a mirror node has forgotten the blocks in which the payment may be', async () => {
    const { attempt } = await pay()
    await world.chain.wind((WINDOW_SECONDS + 200) * 1000)
    await world.chain.advance(2)
    await world.chain.forget(1)
    await expect(verdict(attempt)).rejects.toThrow()
    await world.chain.forget(0)
    expect(await verdict(attempt)).toBe('dead')
    await caughtUp()
  })
})

it('a mirror node that denies the accounts of the deployment hides neither payments nor deposits', async () => {
  const { attempt } = await pay()
  expect(await send(attempt)).toBe('known')
  await world.chain.wind((WINDOW_SECONDS + 200) * 1000)
  await world.chain.advance(2)
  const other = world.adapterOver()
  await other.start(new AbortController().signal)
  const deny = () =>
    world.chain.failNext({ method: 'GET /api/v1/accounts/:id', error: { code: 404, message: 'Not found' }, times: 50 })
  await deny()
  expect(await other.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('landed')
  await expect(other.lane.read(world.solver.address, null)).rejects.toThrow(/Too few nodes/)
  const stop = new AbortController()
  const pages = other.watch(await other.cursorAt(1n), NOTHING_LIVE, stop.signal)[Symbol.asyncIterator]()
  const first = pages.next()
  await expect.poll(async () => (await world.chain.counts())['GET /api/v1/blocks'] ?? 0).toBeGreaterThan(2)
  await world.chain.clearFaults()
  expect((await first).value.cursor).toBeDefined()
  stop.abort()
  await other.stop()
  await caughtUp()
})

describe('a refusal', () => {
  it('before consensus costs no fee and leaves no transaction', async () => {
    const { attempt, payout } = await pay()
    const before = await balanceOf(world.solverId)
    await world.chain.setRate({ hbar: 30_000, cents: 360 })
    expect(await send(attempt)).toBe('underpriced')
    await world.chain.setRate({ hbar: 30_000, cents: 360_000 })
    await world.chain.advance()
    expect(await balanceOf(world.solverId)).toBe(before)
    expect((await stateOf(attempt, payout)).status).toBe('missing')
    expect(await verdict(attempt)).toBe('alive')
  })

  it('at consensus costs the fee, says why, and is dead at once: an id never runs twice', async () => {
    const to = await world.freshAccount()
    const payout = world.payout(to, { money: { currency: world.token, amount: 5n } })
    const attempt = await signOne(adapter, world, payout)
    const before = await balanceOf(world.solverId)
    expect(await send(attempt)).toBe('known')
    await world.chain.advance()
    const state = await stateOf(attempt, payout)
    expect(state).toMatchObject({ status: 'reverted', paid: 0n })
    expect(state.revert).toMatch(/not associated/)
    expect(before - (await balanceOf(world.solverId))).toBe(state.fee)
    expect(state.fee).toBeGreaterThan(0n)
    expect(await verdict(attempt)).toBe('dead')
    expect(await send(attempt)).toBe('known')
    await world.chain.advance()
    expect((await stateOf(attempt, payout)).status).toBe('reverted')
  })
})

describe('a withdrawal', () => {
  it('is signed by both keys, and the solver pays the fee', async () => {
    await world.chain.fund(world.vault.address, 10n * HBAR)
    const payout = world.payout(world.solver.address, {
      purpose: 'withdraw',
      money: { currency: NATIVE, amount: HBAR },
    })
    const attempt = await signOne(adapter, world, payout)
    const before = await Promise.all([balanceOf(world.depositoryId), balanceOf(world.solverId)])
    expect(await send(attempt)).toBe('known')
    await world.chain.advance()
    const { fee, paid, feeFrom } = await stateOf(attempt, payout)
    expect([paid, feeFrom]).toEqual([HBAR, undefined])
    expect(await balanceOf(world.depositoryId)).toBe((before[0] ?? 0n) - HBAR)
    expect(await balanceOf(world.solverId)).toBe((before[1] ?? 0n) + HBAR - fee)
  })

  it('is not signed without the key of the depository', async () => {
    const payout = world.payout(world.solver.address, { purpose: 'withdraw' })
    const { position } = await adapter.lane.read(world.solver.address, null)
    const { prepared } = await adapter.lane.prepare([{ payout, gas: null }], position)
    const [attempt] = prepared
    if (attempt === null || attempt === undefined) throw new Error('Nothing was prepared.')
    for (const allocator of [undefined, world.issuer.signer])
      await expect(adapter.lane.sign(attempt, world.solver.signer, allocator)).rejects.toThrow(
        /key of the (depository|account)/,
      )
  })
})

it('a payment to an EVM address opens no account: the network refuses it for its fee', async () => {
  const { address } = newKey()
  const payout = world.payout(address)
  expect(await adapter.recipientStatus(payout.to, NATIVE)).toMatchObject({ canReceive: false })
  const attempt = await signOne(adapter, world, payout)
  await send(attempt)
  await world.chain.advance()
  expect((await stateOf(attempt, payout)).status).not.toBe('success')
  expect(await world.reader.get(`/accounts/${address}`)).toBeNull()
})

it('no client keeps running after the adapter stopped', async () => {
  const other = world.adapterOver()
  await other.start(new AbortController().signal)
  const payout = world.payout(await world.freshAccount())
  const attempt = await signOne(other, world, payout)
  await other.lane.broadcast([attempt])
  await other.stop()
  const [late] = await other.lane.broadcast([attempt])
  expect(late?.outcome).toBe('unknown')
  await world.chain.advance()
})
