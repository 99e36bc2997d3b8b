import { until } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HypeAdapter } from '../adapter.js'
import { NATIVE, USDC } from '../address/addresses.js'
import { type HypeWorld, newKey, newOrder, only, openHypeWorld, SPOT, signOne } from '../hypeWorld.test.support.js'
import { HyperliquidWallet } from '../testing/hyperliquidWallet.js'
import { requestOf } from './signPayment.js'

let world: HypeWorld
let adapter: HypeAdapter
beforeAll(async () => {
  world = await openHypeWorld()
  adapter = world.adapterOver()
  await adapter.start(new AbortController().signal)
}, 60_000)
afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

const opened = async (): Promise<string> => {
  const { address } = newKey()
  await world.chain.open(address)
  return address
}

const stateOf = async (txId: string, payout: ReturnType<HypeWorld['payout']>) => {
  await world.chain.advance(1)
  return only(await adapter.lane.states([{ txId, payout }]))
}

const sendOnce = async (raw: `0x${string}`, attempt: Awaited<ReturnType<typeof signOne>>) =>
  only(await adapter.lane.broadcast([{ ...attempt, raw }]))

describe('a payment', () => {
  it('has its mapping before it is signed, under the order id, and lands once', async () => {
    const payout = world.payout(await opened())
    const attempt = await signOne(adapter, world, payout)
    expect(world.mappings.stored.at(-1)).toMatchObject({ wallet: world.solver.address, id: payout.orderId })
    for (const _ of [1, 2]) expect(await sendOnce(attempt.raw, attempt)).toEqual({ outcome: 'known' })
    expect(await stateOf(attempt.txId, payout)).toMatchObject({ status: 'success', paid: 5n * USDC, fee: 0n })
  })

  it('to a new account costs one USDC, as was estimated', async () => {
    const payout = world.payout(newKey().address)
    expect((await adapter.estimatePayoutFee(payout)).network).toEqual({ currency: NATIVE, amount: USDC })
    const attempt = await signOne(adapter, world, payout)
    expect(attempt.feeCap).toBe(USDC)
    await sendOnce(attempt.raw, attempt)
    expect(await stateOf(attempt.txId, payout)).toMatchObject({ status: 'success', fee: USDC })
  })

  it('of spot USDC to a new account costs one of that', async () => {
    const payout = world.payout(newKey().address, { money: { currency: SPOT, amount: 5n * USDC } })
    expect(await adapter.estimatePayoutFee(payout)).toMatchObject({ network: { amount: 0n }, currencyFee: USDC })
    const attempt = await signOne(adapter, world, payout)
    await sendOnce(attempt.raw, attempt)
    expect(await stateOf(attempt.txId, payout)).toMatchObject({ status: 'success', fee: 0n, currencyFee: USDC })
  })

  it('is not prepared above its fee limit', async () => {
    const payout = world.payout(newKey().address, { feeLimit: USDC - 1n })
    await expect(signOne(adapter, world, payout)).rejects.toThrow('Nothing was prepared')
  })

  it('never takes a nonce that has a mapping', async () => {
    const { solver, payout } = world
    const to = await opened()
    const other = world.adapterOver()
    await other.start(new AbortController().signal)
    try {
      const height = BigInt(await world.chain.headMs())
      await until('the head', async () => ((await adapter.tip()).height >= height ? true : null))
      const { position } = await other.lane.read(solver.address, null)
      const take = async ({ lane }: HypeAdapter) =>
        (await lane.prepare([{ payout: payout(to), gas: null }], position)).prepared[0] ?? null
      const [first, second, third] = [await take(other), await take(world.adapterOver()), await take(other)]
      expect(second).toBeNull()
      expect(first?.guards).not.toEqual(third?.guards)
    } finally {
      await other.stop()
    }
  })

  it('whose action was altered recovers to a stranger, and is refused', async () => {
    const payout = world.payout(await opened())
    const attempt = await signOne(adapter, world, payout)
    const request = requestOf(attempt.raw)
    const altered = { ...request, action: { ...request.action, amount: '500' } }
    const raw = `0x${Buffer.from(JSON.stringify(altered)).toString('hex')}` as const
    expect(await sendOnce(raw, attempt)).toMatchObject({ outcome: 'rejected', reason: 'invalid' })
  })

  it('beyond the balance is refused, and a repeated post of it does not count as paid', async () => {
    const payout = world.payout(await opened(), { money: { currency: NATIVE, amount: 1_000_000n * USDC } })
    expect(await adapter.simulate(payout)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
    const attempt = await signOne(adapter, world, payout)
    expect(await sendOnce(attempt.raw, attempt)).toMatchObject({ outcome: 'rejected', reason: 'insufficient-funds' })
    // The exchange used the nonce up: it says that the payment is a duplicate, and its ledger shows none.
    expect(await sendOnce(attempt.raw, attempt)).toEqual({ outcome: 'known' })
    expect(await stateOf(attempt.txId, payout)).toMatchObject({ status: 'missing' })
    expect(await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('alive')
  })

  it.each([
    ['whose answer is lost after it was taken', { afterAccepting: true, status: 502 }],
    ['that a busy server does not take', { status: 429 }],
  ])('%s is in doubt, and lands once', async (_, fault) => {
    const payout = world.payout(await opened())
    const attempt = await signOne(adapter, world, payout)
    await world.chain.failNext({ method: 'exchange', ...fault })
    expect(await sendOnce(attempt.raw, attempt)).toMatchObject({ outcome: 'unknown' })
    const again = world.adapterOver()
    await again.start(new AbortController().signal)
    try {
      expect(only(await again.lane.broadcast([attempt]))).toEqual({ outcome: 'known' })
    } finally {
      await again.stop()
    }
    expect(await stateOf(attempt.txId, payout)).toMatchObject({ status: 'success', paid: 5n * USDC })
  })
})

describe('a lane that lost its journal', () => {
  it('reads payments back with order and purpose, and no deposit of a user as a sweep', async () => {
    const { lane } = adapter
    const before = await lane.read(world.solver.address, null)
    const { height } = await adapter.tip()
    const payout = world.payout(await opened(), { purpose: 'refund' })
    const attempt = await signOne(adapter, world, payout)
    await sendOnce(attempt.raw, attempt)
    const nonce = await world.wallet.nextNonce()
    await world.map(newOrder(), nonce, world.owner.address, world.solver.address)
    await world.wallet.sendAsset({ destination: world.vault.address, amount: USDC, nonce })
    await world.chain.advance(1)
    const { unknown } = await lane.read(world.solver.address, { position: before.position, sinceHeight: height })
    expect(unknown.map(({ tx, orderId, purpose }) => [tx.id, orderId, purpose])).toEqual([
      [attempt.txId, payout.orderId, 'refund'],
    ])
  })
})

describe('a transfer by hand', () => {
  it('is told, and does not raise the nonces of payments above their window', async () => {
    const { chain, solver, vault } = world
    const { lane } = adapter
    const before = await lane.read(solver.address, null)
    const { height } = await adapter.tip()
    const hand = new HyperliquidWallet(chain, solver.secret)
    const nonce = (await hand.chain.time()) + 3_600_000
    await hand.sendAsset({ destination: await opened(), amount: USDC, nonce })
    await chain.advance(1)
    const after = await lane.read(solver.address, { position: before.position, sinceHeight: height })
    expect(after.unknown).toMatchObject([{ orderId: null }])
    const payout = world.payout(await opened())
    const [prepared] = (await lane.prepare([{ payout, gas: null }], after.position)).prepared
    const attempt = await lane.sign(prepared ?? only([]), solver.signer, vault.signer)
    const longest = 3_600_000n
    const until = BigInt(attempt.guards[0]?.split(':').at(-1) ?? 0)
    expect(until).toBeLessThanOrEqual(BigInt(await hand.chain.time()) + longest + 1n)
    await sendOnce(attempt.raw, attempt)
    expect(await stateOf(attempt.txId, payout)).toMatchObject({ status: 'success' })
  })
})

describe('recipients', () => {
  it.each(['vault', 'agent'] as const)('a %s is refused', async (role) => {
    const address = await opened()
    await world.chain.setRole(address, role, role === 'agent' ? world.owner.address : null)
    expect(await adapter.recipientStatus({ address }, NATIVE)).toMatchObject({ canReceive: false })
  })

  it('a sanctioned account, the depository, and a new account without USDC are refused', async () => {
    const token = await world.chain.createToken({ name: 'ABC', szDecimals: 2, weiDecimals: 8 })
    const { address } = newKey()
    expect(await adapter.recipientStatus({ address }, NATIVE)).toEqual({ canReceive: true })
    expect(await adapter.recipientStatus({ address }, token)).toMatchObject({ canReceive: false })
    expect((await adapter.recipientStatus({ address: world.vault.address }, NATIVE)).canReceive).toBe(false)
    await world.chain.sanction(address)
    expect((await adapter.recipientStatus({ address }, NATIVE)).canReceive).toBe(false)
  })
})
