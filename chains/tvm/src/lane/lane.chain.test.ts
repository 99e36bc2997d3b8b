import type { Payout, SignedAttempt } from '@causeway/core/chain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TronAdapter } from '../adapter.js'
import { selectorOf } from '../address/abi.js'
import { NATIVE } from '../address/addresses.js'
import { preparedJson, readPrepared } from '../payout/paymentForm.js'
import { words } from '../testing/tokens/words.js'
import {
  LAG,
  newKey,
  only,
  openTronWorld,
  signAll,
  stateOf,
  TRX,
  type TronWorld,
  WINDOW_SECONDS,
} from '../tronWorld.test.support.js'

let world: TronWorld
let adapter: TronAdapter

beforeAll(async () => {
  world = await openTronWorld()
  await world.chain.advance(LAG + 1)
  adapter = world.adapterOver()
  await adapter.start(new AbortController().signal)
}, 60_000)

afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

const broadcast = async (attempt: SignedAttempt) => only(await adapter.lane.broadcast([attempt]))
const verdictOf = ({ guards, txId }: SignedAttempt, payout: Payout) =>
  adapter.lane.payoutVerdict(guards, [txId], { agreeing: 1, payout })

const send = async (payout: Payout): Promise<SignedAttempt> => {
  const attempt = only(await signAll(adapter, world, payout))
  expect(await broadcast(attempt)).toEqual({ outcome: 'known' })
  await world.chain.advance()
  return attempt
}

describe('a payment', () => {
  it('has bytes of its own, also beside an equal one for the same order in the same block', async () => {
    const payout = world.payout(newKey().address)
    const [first, second] = await signAll(adapter, world, payout, payout)
    if (first === undefined || second === undefined) throw new Error('Two payments were prepared.')
    expect(first.txId).not.toBe(second.txId)
    expect(first.raw).not.toBe(second.raw)
    for (const attempt of [first, second]) expect(await broadcast(attempt)).toEqual({ outcome: 'known' })
    await world.chain.advance()
    const { amounts } = await adapter.getBalances([{ address: payout.to.address, currency: NATIVE }])
    expect(amounts).toEqual([payout.money.amount * 2n])
  })

  it('is taken again under the same id, and lands once', async () => {
    const payout = world.payout(newKey().address)
    const attempt = await send(payout)
    expect(await broadcast(attempt)).toEqual({ outcome: 'known' })
    await world.chain.advance()
    const { amounts } = await adapter.getBalances([{ address: payout.to.address, currency: NATIVE }])
    expect(amounts).toEqual([payout.money.amount])
  })

  it('pays for its memo and for the account that it activates', async () => {
    const payout = world.payout(newKey().address)
    const { fee, paid } = await stateOf(adapter, await send(payout), payout)
    expect(fee).toBe(2_100_000n)
    expect(paid).toBe(payout.money.amount)
    const again = { ...payout, orderId: world.payout('').orderId }
    expect((await stateOf(adapter, await send(again), again)).fee).toBeLessThan(1_400_000n)
  })

  it('refers to a block that cannot leave, and lands after the newest blocks were replaced', async () => {
    const payout = world.payout(newKey().address)
    const attempt = only(await signAll(adapter, world, payout))
    const { refBlockBytes } = readPrepared(attempt.transaction)
    expect(Number.parseInt(refBlockBytes, 16)).toBeLessThanOrEqual((await world.chain.height()) - LAG)
    await world.chain.reorg?.(LAG)
    expect(await broadcast(attempt)).toEqual({ outcome: 'known' })
    await world.chain.advance()
    expect((await stateOf(adapter, attempt, payout)).status).toBe('success')
  })

  it('may land as long as its reference block is only unknown to a node (TAPOS)', async () => {
    const payout = world.payout(newKey().address)
    const attempt = only(await signAll(adapter, world, payout))
    const forked = { ...readPrepared(attempt.transaction), refBlockHash: '00'.repeat(8) }
    const other = await adapter.lane.sign({ ...attempt, transaction: preparedJson(forked) }, world.solver.signer)
    expect(await broadcast(other)).toMatchObject({ outcome: 'unknown', message: /TAPOS_ERROR/ })
    expect(await verdictOf(other, payout)).toBe('alive')
  })

  it('that expires between signing and sending is expired, and dead once that is solidified', async () => {
    const payout = world.payout(newKey().address)
    const attempt = only(await signAll(adapter, world, payout))
    await world.chain.wind((WINDOW_SECONDS + 1) * 1000)
    await world.chain.advance()
    expect(await broadcast(attempt)).toMatchObject({ outcome: 'expired' })
    // The newest block is past the expiration, and no solidified one.
    expect(await verdictOf(attempt, payout)).toBe('alive')
    await world.chain.advance(LAG + 1)
    expect(await verdictOf(attempt, payout)).toBe('dead')
  })

  it('in a block that disappears is not dead, and lands once when it is sent again', async () => {
    const payout = world.payout(newKey().address)
    const attempt = await send(payout)
    await world.chain.reorg?.(1)
    expect((await stateOf(adapter, attempt, payout)).status).toBe('missing')
    expect(await verdictOf(attempt, payout)).toBe('alive')
    expect(await broadcast(attempt)).toEqual({ outcome: 'known' })
    await world.chain.advance()
    expect((await stateOf(adapter, attempt, payout)).status).toBe('success')
  })
})

describe('a payment that is included and fails', () => {
  it('is reverted with its fee, not landed, and dead once that is final (REVERT)', async () => {
    const token = await world.newToken('blocking')
    const payout = world.payout(newKey().address, { money: { currency: token, amount: TRX } })
    const attempt = only(await signAll(adapter, world, payout))
    await world.chain.call({ to: token, data: selectorOf('block(address)') + words(payout.to.address) })
    expect(await broadcast(attempt)).toEqual({ outcome: 'known' })
    await world.chain.advance()
    const state = await stateOf(adapter, attempt, payout)
    expect(state).toMatchObject({ status: 'reverted', paid: 0n, revert: /REVERT/ })
    expect(state.fee).toBeGreaterThan(0n)
    expect(await verdictOf(attempt, payout)).toBe('alive')
    await world.chain.advance(LAG + 1)
    expect(await verdictOf(attempt, payout)).toBe('dead')
  })

  it('burns no more than its fee limit (OUT_OF_ENERGY)', async () => {
    const token = await world.newToken('standard')
    const payout = world.payout(newKey().address, { money: { currency: token, amount: TRX } })
    const attempt = only(await signAll(adapter, world, payout))
    await world.chain.setEnergyFactor(token, 20_000)
    expect(await broadcast(attempt)).toEqual({ outcome: 'known' })
    await world.chain.advance()
    const state = await stateOf(adapter, attempt, payout)
    expect(state).toMatchObject({ status: 'reverted', paid: 0n, revert: /OUT_OF_ENERGY/ })
    expect(state.fee).toBeLessThanOrEqual(attempt.feeCap)
    await world.chain.advance(LAG + 1)
    expect(await verdictOf(attempt, payout)).toBe('dead')
  })
})

describe('a token payment', () => {
  it('ends with the order id behind its calldata, and is paid by USDT that answers false', async () => {
    const payout = world.payout(newKey().address, { money: { currency: world.usdt, amount: 2n ** 60n } })
    expect((await adapter.simulate(payout)).ok).toBe(false)
    const affordable = { ...payout, money: { ...payout.money, amount: 7n * TRX } }
    const attempt = await send(affordable)
    expect(readPrepared(attempt.transaction).data.slice(-64)).toBe(payout.orderId.slice(2))
    expect(await stateOf(adapter, attempt, affordable)).toMatchObject({ status: 'success', paid: 7n * TRX })
    expect(await verdictOf(attempt, affordable)).toBe('landed')
  })

  it('carries amounts above 2^53', async () => {
    const token = await world.newToken('no-return')
    const amount = 2n ** 70n + 1n
    await world.chain.fund(world.solver.address, amount, token)
    const payout = world.payout(newKey().address, { money: { currency: token, amount } })
    expect(await stateOf(adapter, await send(payout), payout)).toMatchObject({ status: 'success', paid: amount })
    const { amounts } = await adapter.getBalances([{ address: payout.to.address, currency: token }])
    expect(amounts).toEqual([amount])
  })

  it('that keeps a part is refused by its simulation, and told with what arrived', async () => {
    await world.chain.call({ to: world.usdt, data: selectorOf('setParams(uint256,uint256)') + words(100n, 10n * TRX) })
    const payout = world.payout(newKey().address, { money: { currency: world.usdt, amount: 100n * TRX } })
    expect(await adapter.simulate(payout)).toMatchObject({ ok: false, kind: 'revert', message: /keeps a part/ })
    expect((await adapter.simulate({ ...payout, purpose: 'refund' })).ok).toBe(true)
    const state = await stateOf(adapter, await send(payout), payout)
    expect(state).toMatchObject({ status: 'success', paid: 99n * TRX })
    await world.chain.call({ to: world.usdt, data: selectorOf('setParams(uint256,uint256)') + words(0n, 0n) })
  })
})

describe('the lane', () => {
  it('finds what it sent without a journal, by the blocks of its newest transactions', async () => {
    const since = await world.chain.height()
    const payout = world.payout(newKey().address, { purpose: 'refund' })
    const attempt = await send(payout)
    await world.chain.advance(30)
    const { unknown, complete } = await adapter.lane.read(world.solver.address, {
      position: { sequence: 1 },
      sinceHeight: BigInt(since),
    })
    expect(complete).toBe(true)
    const found = unknown.find(({ tx }) => tx.id === attempt.txId)
    expect(found).toMatchObject({
      purpose: 'refund',
      orderId: payout.orderId,
      to: payout.to.address,
      status: 'success',
    })
    expect(await adapter.lane.hasSent(world.solver.address)).toBe(true)
    expect(await adapter.lane.hasSent(newKey().address)).toBe(false)
  })
})
