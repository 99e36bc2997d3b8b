import type { AttemptState, Payout, SignedAttempt } from '@causeway/core/chain'
import { createEd25519Signer, createSecp256k1Signer } from '@causeway/core/chain'
import { SystemProgram } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { memoInstruction } from '../payout/memo/memoInstruction.js'
import { payoutMemo } from '../payout/memo/memoText.js'
import { type LocalSvmChain, startLocalSvm } from '../testing/index.js'
import {
  accountAt,
  createPayWorld,
  eventually,
  freshAddress,
  newOrderId,
  type PayWorld,
  SETTLE,
} from './payWorld.test.support.js'

const AMOUNT = 1_000_000_000n
const TOKENS = 10_000_000n

let chain: LocalSvmChain
let world: PayWorld
let next = 0

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
  world = createPayWorld(chain)
  await world.start()
})
afterAll(async () => {
  world?.close()
  await chain?.close()
})

const signAt = async (payouts: readonly Payout[]): Promise<SignedAttempt[]> => {
  // Each test has blockhashes of its own.
  await chain.advance(1)
  await world.heads.refresh()
  const attempts = await world.sign(payouts, next)
  next += payouts.length
  return attempts
}

const signOne = async (payout: Payout): Promise<SignedAttempt> => {
  const [attempt] = await signAt([payout])
  if (attempt === undefined) throw new Error('nothing was signed')
  return attempt
}

const stateOf = async (txId: string, payout: Payout): Promise<AttemptState> => {
  const [state] = await world.lane.states([{ txId, payout }])
  if (state === undefined) throw new Error('no state')
  return state
}

/** Sends and waits for the block. */
const pay = async (payout: Payout): Promise<AttemptState & { readonly txId: string }> => {
  const attempt = await signOne(payout)
  expect(await world.lane.broadcast([attempt])).toEqual([{ outcome: 'known' }])
  return { ...(await included(attempt.txId, payout)), txId: attempt.txId }
}

const included = (txId: string, payout: Payout): Promise<AttemptState> =>
  eventually(`the inclusion of ${txId}`, async () => {
    await world.heads.refresh()
    const state = await stateOf(txId, payout)
    if (state.status === 'success' || state.status === 'reverted') return state
    await chain.advance(1)
    return null
  })

describe('a payment', () => {
  test('of lamports: what the recipient got, what the solver lost beyond it', async () => {
    const payout = world.payout()
    const before = await world.balance(world.solver.address)
    const state = await pay(payout)
    expect(state).toMatchObject({ status: 'success', paid: AMOUNT, fee: 5000n, revert: null })
    expect(state.txData).toMatchObject({ from: world.solver.address, to: payout.to.address, value: AMOUNT.toString() })
    expect(await world.balance(payout.to.address)).toBe(AMOUNT)
    expect(await world.balance(world.solver.address)).toBe(before - AMOUNT - state.fee)
  })

  test('the same bytes sent twice are one payment', async () => {
    const payout = world.payout()
    const attempt = await signOne(payout)
    await world.lane.broadcast([attempt])
    await included(attempt.txId, payout)
    expect(await world.lane.broadcast([attempt])).toEqual([{ outcome: 'known' }])
    await chain.advance(2)
    expect(await world.balance(payout.to.address)).toBe(AMOUNT)
  })

  test('two equal payouts under one blockhash are two transactions, by their sequence', async () => {
    const payout = world.payout()
    const attempts = await signAt([payout, payout])
    expect(new Set(attempts.map(({ txId }) => txId)).size).toBe(2)
    expect(new Set(attempts.flatMap(({ guards }) => guards)).size).toBe(2)
    await world.lane.broadcast(attempts)
    for (const { txId } of attempts) expect((await included(txId, payout)).status).toBe('success')
    expect(await world.balance(payout.to.address)).toBe(2n * AMOUNT)
  })

  test.each(['token', 'token-2022'] as const)(
    'of %s: the first creates the account, whose rent is a fee',
    async (program) => {
      const currency = await chain.createToken({ decimals: 6, program })
      await chain.fund(world.solver.address, 3n * TOKENS, currency)
      const to = freshAddress()
      const payout = world.payout({ to, money: { currency, amount: TOKENS } })
      const simulation = await world.simulator.simulate(payout)
      expect(simulation).toMatchObject({ ok: true })
      const creation = simulation.ok ? (simulation.accountCreation ?? 0n) : 0n
      const first = await pay(payout)
      expect(first).toMatchObject({ status: 'success', paid: TOKENS, fee: 5000n + creation })
      expect(creation).toBe(program === 'token' ? 2_039_280n : 2_074_080n)
      expect((await world.estimate(payout, simulation)).network.amount).toBe(first.fee)
      const again = await pay({ ...payout, orderId: newOrderId() })
      expect(again).toMatchObject({ status: 'success', paid: TOKENS, fee: 5000n })
      expect(await world.balance(to, currency)).toBe(2n * TOKENS)
    },
  )

  test('of a token that keeps a fee: what was promised arrives', async () => {
    const transferFee = { bps: 125, maximum: 10n ** 12n }
    const currency = await chain.createToken({ decimals: 6, program: 'token-2022', transferFee })
    await chain.fund(world.solver.address, 3n * TOKENS, currency)
    const payout = world.payout({ money: { currency, amount: TOKENS } })
    const state = await pay(payout)
    expect(state.status).toBe('success')
    expect(state.paid).toBe(TOKENS)
    const spent = 3n * TOKENS - (await world.balance(world.solver.address, currency))
    expect(spent).toBe((TOKENS * 10_000n + 9_874n) / 9_875n)
  })

  test('that fails on the chain costs its fee, and only at finality it is dead', async () => {
    // More than the solver holds: nobody simulated it.
    const payout = world.payout({ money: { currency: NATIVE, amount: 10n ** 15n } })
    const attempt = await signOne(payout)
    await world.lane.broadcast([attempt])
    const state = await included(attempt.txId, payout)
    expect(state).toMatchObject({ status: 'reverted', paid: 0n, fee: 5000n })
    expect(state.revert).toMatch(/does not hold enough lamports/)
    expect(await world.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('alive')
    await chain.advance(10)
    expect(await world.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('dead')
  })

  test('estimate and charge are equal, priority included', async () => {
    const dear = createPayWorld(chain, { options: { minPriorityMicroLamports: 12_345 } })
    await dear.start()
    try {
      const payout = dear.payout()
      const simulation = await dear.simulator.simulate(payout)
      const gas = simulation.ok ? simulation.gas : null
      await chain.advance(1)
      await dear.heads.refresh()
      const { prepared } = await dear.lane.prepare([{ payout, gas }], { sequence: next })
      next += 1
      const [item] = prepared
      if (item == null) throw new Error('nothing prepared')
      const attempt = await dear.lane.sign(item, dear.signer)
      await dear.lane.broadcast([attempt])
      const state = await included(attempt.txId, payout)
      expect(state.fee).toBeGreaterThan(5000n)
      expect(state.fee).toBe((await dear.estimate(payout, simulation)).network.amount)
      expect(attempt.feeCap).toBe(state.fee)
    } finally {
      dear.close()
    }
  })
})

describe('finality', () => {
  test('confirmations stay at most settle until the signature is finalized, then they are above it', async () => {
    const payout = world.payout()
    const { txId, confirmations } = await pay(payout)
    expect(confirmations).toBeLessThanOrEqual(SETTLE)
    await chain.advance(20)
    await world.heads.refresh()
    expect((await stateOf(txId, payout)).confirmations).toBeGreaterThan(SETTLE)
  })

  test('a payment that left the chain with a fork is missing, and the same bytes land again', async () => {
    const payout = world.payout()
    const attempt = await signOne(payout)
    await world.lane.broadcast([attempt])
    await included(attempt.txId, payout)
    await chain.dropSlots(1)
    expect((await stateOf(attempt.txId, payout)).status).not.toBe('success')
    expect(await world.balance(payout.to.address)).toBe(0n)
    expect(await world.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('alive')
    await world.lane.broadcast([attempt])
    expect((await included(attempt.txId, payout)).status).toBe('success')
    expect(await world.balance(payout.to.address)).toBe(AMOUNT)
  })

  test('while the blockhash lives it is known from memory that nothing is dead: no node is asked', async () => {
    const attempt = await signOne(world.payout())
    const before = await chain.callCounts()
    expect(await world.lane.mayBeDead?.(attempt.guards)).toBe(false)
    const after = await chain.callCounts()
    expect(after.getSignatureStatuses).toBe(before.getSignatureStatuses)
    await chain.advance(200)
    await world.heads.refresh()
    expect(await world.lane.mayBeDead?.(attempt.guards)).toBe(true)
    expect(await world.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('dead')
    expect(await world.lane.mayBeDead?.(['somebody:else'])).toBe(true)
  })

  test('what was never sent is dead only when its blockhash has expired at finality, and then it cannot land', async () => {
    const payout = world.payout()
    const attempt = await signOne(payout)
    expect((await stateOf(attempt.txId, payout)).status).toBe('missing')
    await chain.advance(150)
    // Out of date at the tip, not yet at the newest final block.
    expect(await world.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('alive')
    await chain.advance(20)
    expect(await world.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('dead')
    await world.lane.broadcast([attempt])
    await chain.advance(5)
    expect((await stateOf(attempt.txId, payout)).status).toBe('missing')
    expect(await world.balance(payout.to.address)).toBe(0n)
  })

  test('what landed has landed, however long ago', async () => {
    const payout = world.payout()
    const attempt = await signOne(payout)
    await world.lane.broadcast([attempt])
    await included(attempt.txId, payout)
    await chain.advance(400)
    expect(await world.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('landed')
    expect((await stateOf(attempt.txId, payout)).status).toBe('success')
  })

  test('two providers must say so: one that is behind keeps the payment alive (invariant 3)', async () => {
    const other = await startLocalSvm({ slotMs: 0, genesisHash: chain.genesisHash })
    const endpoints = [
      { http: chain.rpcUrl, provider: 'one' },
      { http: other.rpcUrl, provider: 'two' },
    ]
    const both = createPayWorld(chain, { endpoints })
    try {
      const payout = world.payout()
      const attempt = await signOne(payout)
      await chain.advance(200)
      expect(await both.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('alive')
      await other.advance(2000)
      expect(await both.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('dead')
      const paid = await signOne(world.payout())
      await world.lane.broadcast([paid])
      await chain.advance(200)
      // One shows the payment, the other one, which never saw it, would let it be made again.
      expect(await both.lane.payoutVerdict(paid.guards, [paid.txId])).toBe('alive')
      expect(both.reports).toEqual([`payout ${paid.txId}`])
    } finally {
      both.close()
      await other.close()
    }
  })

  test('there is no replacement and no cancel', async () => {
    const attempt = await signOne(world.payout())
    expect(await world.lane.replace(attempt, { version: 2 })).toBeNull()
    expect(await world.lane.cancel(attempt, { version: 2 })).toBeNull()
  })
})

describe('broadcast', () => {
  test('a node that takes the transaction and answers with an error, or not at all, leaves it unknown (F54)', async () => {
    for (const fault of [{ error: { code: -32603, message: 'Internal error' } }, { status: 500, times: 2 }]) {
      const payout = world.payout()
      const attempt = await signOne(payout)
      await chain.failNext({ method: 'sendTransaction', afterAccepting: true, ...fault })
      const [answer] = await world.lane.broadcast([attempt])
      expect(['unknown', 'known']).toContain(answer?.outcome)
      expect((await included(attempt.txId, payout)).status).toBe('success')
      expect(await world.balance(payout.to.address)).toBe(AMOUNT)
    }
    await chain.clearFaults()
  })

  test('several go out in one batch, each with its own answer', async () => {
    const payouts = [world.payout(), world.payout(), world.payout()]
    const attempts = await signAt(payouts)
    expect(await world.lane.broadcast(attempts)).toEqual(payouts.map(() => ({ outcome: 'known' })))
    for (const [at, payout] of payouts.entries()) {
      expect((await included(attempts[at]?.txId ?? '', payout)).paid).toBe(AMOUNT)
    }
  })
})

describe('keys', () => {
  test('another key than the payout account, or of another kind, signs nothing (F113)', async () => {
    const { prepared } = await world.lane.prepare([{ payout: world.payout(), gas: null }], { sequence: 0 })
    const [item] = prepared
    if (item == null) throw new Error('nothing prepared')
    const stranger = createEd25519Signer(accountAt(chain, 5).privateKey)
    await expect(world.lane.sign(item, stranger)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const foreign = createSecp256k1Signer(accountAt(chain, 5).privateKey)
    expect(() => world.lane.addressOf(foreign)).toThrow(/ed25519/)
    const liar = { ...world.signer, sign: (message: Uint8Array) => stranger.sign(message) }
    await expect(world.lane.sign(item, liar)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(world.lane.addressOf(world.signer)).toBe(world.solver.address)
  })
})

describe('withdrawals, cosigned by the depository', () => {
  test('of lamports: the solver gains the amount and pays the fee of two signatures', async () => {
    const payout = world.payout({ purpose: 'withdraw', to: world.solver.address })
    const [before, held] = [await world.balance(world.solver.address), await world.balance(world.vault.address)]
    expect(world.lane.cosigns).toBe(true)
    expect(world.lane.authorizeWithdrawal).toBeUndefined()
    const simulation = await world.simulator.simulate(payout)
    expect(simulation.ok).toBe(true)
    const state = await pay(payout)
    expect(state).toMatchObject({ status: 'success', paid: AMOUNT, fee: 10_000n })
    expect((await world.estimate(payout, simulation)).network.amount).toBe(10_000n)
    expect(await world.balance(world.solver.address)).toBe(before + AMOUNT - 10_000n)
    expect(await world.balance(world.vault.address)).toBe(held - AMOUNT)
  })

  test('of tokens, into an account that is created', async () => {
    const currency = await chain.createToken({ decimals: 6 })
    await chain.fund(world.vault.address, TOKENS, currency)
    const payout = world.payout({ purpose: 'withdraw', to: world.solver.address, money: { currency, amount: TOKENS } })
    const state = await pay(payout)
    expect(state).toMatchObject({ status: 'success', paid: TOKENS, fee: 10_000n + 2_039_280n })
    expect(await world.balance(world.solver.address, currency)).toBe(TOKENS)
    expect(await world.balance(world.vault.address, currency)).toBe(0n)
  })

  test('not without the allocator, and with no other one', async () => {
    const payout = world.payout({ purpose: 'withdraw', to: world.solver.address })
    const { prepared } = await world.lane.prepare([{ payout, gas: null }], { sequence: 0 })
    const [item] = prepared
    if (item == null) throw new Error('nothing prepared')
    await expect(world.lane.sign(item, world.signer)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const stranger = createEd25519Signer(accountAt(chain, 5).privateKey)
    await expect(world.lane.sign(item, world.signer, stranger)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

describe('a lost journal is read back by the sequence numbers (F118, architecture.md 3)', () => {
  test('what the journal does not hold comes back with order, purpose, recipient and amount', async () => {
    const { solver, lane } = world
    const start = next
    const { height } = await world.heads.tip()
    const native = world.payout()
    const currency = await chain.createToken({ decimals: 6 })
    await chain.fund(solver.address, TOKENS, currency)
    const token = world.payout({ purpose: 'refund', money: { currency, amount: TOKENS } })
    const failing = world.payout({ money: { currency: NATIVE, amount: 10n ** 15n } })
    const ids = []
    for (const payout of [native, token, failing]) ids.push((await pay(payout)).txId)
    const reading = await lane.read(solver.address, { position: { sequence: start }, sinceHeight: height })
    expect(reading).toMatchObject({ position: { sequence: start + 3 }, complete: true })
    expect(reading.unknown.map(({ tx, orderId, purpose, status }) => [tx.id, orderId, purpose, status])).toEqual([
      [ids[0], native.orderId, 'fill', 'success'],
      [ids[1], token.orderId, 'refund', 'success'],
      [ids[2], failing.orderId, 'fill', 'reverted'],
    ])
    expect(reading.unknown[0]).toMatchObject({ to: native.to.address, money: native.money })
    expect(reading.unknown[1]).toMatchObject({ to: token.to.address, money: token.money })
    const known = await lane.read(solver.address, { position: { sequence: start + 3 }, sinceHeight: height })
    expect(known).toEqual({ position: { sequence: start + 3 }, unknown: [], complete: true })
    expect((await lane.read(solver.address, null)).position).toEqual({ sequence: start + 3 })
    expect(await lane.read(freshAddress(), null)).toEqual({ position: { sequence: 0 }, unknown: [], complete: true })
    expect([await lane.hasSent?.(solver.address), await lane.hasSent?.(freshAddress())]).toEqual([true, false])
  })

  test('a stranger who writes such a memo into a transaction that names the lane moves nothing', async () => {
    const { solver, lane } = world
    const stranger = accountAt(chain, 6)
    const { height } = await world.heads.tip()
    const memo = payoutMemo({ orderId: newOrderId(), purpose: 'fill', sequence: next + 1000 })
    const gift = SystemProgram.transfer({
      fromPubkey: stranger.keypair.publicKey,
      toPubkey: solver.keypair.publicKey,
      lamports: 1,
    })
    await chain.send(stranger, [gift, memoInstruction(memo)])
    const reading = await lane.read(solver.address, { position: { sequence: next }, sinceHeight: height })
    expect(reading).toEqual({ position: { sequence: next }, unknown: [], complete: true })
  })

  test('F121: a transaction that one provider leaves out is read from the other; both must answer', async () => {
    const other = await startLocalSvm({ slotMs: 0, genesisHash: chain.genesisHash })
    const from = (second: string) =>
      createPayWorld(chain, {
        endpoints: [
          { http: second, provider: 'behind' },
          { http: chain.rpcUrl, provider: 'current' },
        ],
      })
    const [both, one] = [from(other.rpcUrl), from('http://127.0.0.1:1')]
    const stored = { position: { sequence: next }, sinceHeight: (await world.heads.tip()).height }
    const { txId } = await pay(world.payout())
    const reading = await both.lane.read(world.solver.address, stored)
    expect(reading).toMatchObject({ position: { sequence: next }, complete: true, unknown: [{ tx: { id: txId } }] })
    expect((await both.lane.read(world.solver.address, null)).position).toEqual({ sequence: next })
    await expect(one.lane.read(world.solver.address, stored)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    both.close()
    one.close()
    await other.close()
  })
})

describe('what may still land of what a database lost (F121)', () => {
  test('a payment lands until the validity that was told when it was signed is over, and not after', async () => {
    const { validity } = world.lane
    if (validity === undefined) throw new Error('The lane has no validity.')
    const payout = world.payout()
    const late = await signOne(world.payout())
    const lost = await signOne(payout)
    const until = await validity.until()
    await chain.advance(100)
    expect(await validity.isOver(until)).toBe(false)
    expect(await world.lane.broadcast([lost])).toEqual([{ outcome: 'known' }])
    await eventually('the lost payment', async () =>
      (await stateOf(lost.txId, payout)).status === 'success' ? true : null,
    )
    await chain.advance(60)
    expect(await validity.isOver(until)).toBe(true)
    await world.heads.refresh()
    await world.lane.broadcast([late])
    await chain.advance(2)
    expect((await stateOf(late.txId, payout)).status).toBe('missing')
  })
})
