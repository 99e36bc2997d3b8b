import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { selectorOf } from '../address/abi.js'
import { NATIVE } from '../address/addresses.js'
import { words } from '../testing/tokens/words.js'
import { newKey, openTronWorld, TRX, type TronWorld } from '../tronWorld.test.support.js'

let world: TronWorld

beforeAll(async () => {
  world = await openTronWorld()
  await world.chain.advance(5)
}, 60_000)

afterAll(() => world?.chain.close())

afterEach(async () => {
  await world.chain.setApiKey(null)
  await world.chain.setLimit(null)
})

const failureOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing failed',
    (error: unknown) => String(error),
  )

describe('a provider with an API key', () => {
  it('answers with the key of its variable, and refuses without it', async () => {
    await world.chain.setApiKey('the-key')
    const keyed = world.adapterOver({ apiKeyVariables: ['TRON_KEY'] }, [world.endpoint], { TRON_KEY: 'the-key' })
    const keyless = world.adapterOver()
    await keyed.start(new AbortController().signal)
    expect((await keyed.tip()).height).toBeGreaterThan(0n)
    const refusal = await failureOf(keyless.start(new AbortController().signal))
    expect(refusal).toContain('No node of chain')
    for (const secret of ['the-key', world.endpoint.http]) expect(refusal).not.toContain(secret)
    await keyed.stop()
    await keyless.stop()
  })

  it('that refuses by a quota is an error in plain words, without URL and key', async () => {
    const adapter = world.adapterOver({ apiKeyVariables: ['TRON_KEY'] }, [world.endpoint], { TRON_KEY: 'the-key' })
    await adapter.start(new AbortController().signal)
    await world.chain.setLimit(0)
    const refusal = await failureOf(adapter.getBalances([{ address: world.user.address, currency: NATIVE }]))
    expect(refusal).toContain('node of this chain')
    for (const secret of ['the-key', world.endpoint.http]) expect(refusal).not.toContain(secret)
    await adapter.stop()
  })
})

describe('costs and rules of recipients', () => {
  it('name contracts that take no TRX, the marker of TRX, and the price of an activation', async () => {
    const adapter = world.adapterOver()
    await adapter.start(new AbortController().signal)
    const status = (address: string, currency = NATIVE) => adapter.recipientStatus({ address }, currency)
    expect(await status(world.usdt)).toMatchObject({ canReceive: false, why: /take no TRX/ })
    expect(await status(world.depository)).toMatchObject({ canReceive: false })
    expect(await status(NATIVE)).toMatchObject({ canReceive: false, why: /no owner/ })
    expect(await status(newKey().address)).toEqual({
      canReceive: true,
      cost: { currency: NATIVE, amount: 1_100_000n },
    })
    expect(await status(world.user.address)).toEqual({ canReceive: true })
    expect(await status(newKey().address, world.usdt)).toEqual({ canReceive: true })
    for (const to of [world.usdt, NATIVE])
      expect(await adapter.simulate(world.payout(to))).toMatchObject({ ok: false, kind: 'recipient-cannot-receive' })
    await adapter.stop()
  })

  it('follow chain parameters, and the bandwidth and energy that the solver has staked', async () => {
    const adapter = world.adapterOver()
    await adapter.start(new AbortController().signal)
    const payout = world.payout(newKey().address, { money: { currency: world.usdt, amount: TRX } })
    const feeOf = async () => {
      const simulation = await adapter.simulate(payout)
      return (await adapter.estimatePayoutFee(payout, simulation)).network.amount
    }
    const bought = await feeOf()
    await world.chain.stake(world.solver.address, { net: 5_000, energy: 10_000 })
    expect(bought - (await feeOf())).toBe(1_000_000n)
    await adapter.stop()
    await world.chain.setParameter('getMemoFee', 3_000_000)
    const later = world.adapterOver()
    await later.start(new AbortController().signal)
    const native = world.payout(world.user.address)
    expect((await later.estimatePayoutFee(native)).network.amount).toBe(3_000_000n)
    await later.stop()
  })

  it('show a revert with its reason in plain text', async () => {
    const adapter = world.adapterOver()
    await adapter.start(new AbortController().signal)
    const token = await world.newToken('standard')
    const payout = world.payout(newKey().address, { money: { currency: token, amount: 10n ** 30n } })
    expect(await adapter.simulate(payout)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
    const listed = await world.newToken('tether')
    await world.chain.call({ to: listed, data: selectorOf('addBlackList(address)') + words(world.solver.address) })
    const refused = world.payout(newKey().address, { money: { currency: listed, amount: TRX } })
    expect(await adapter.simulate(refused)).toMatchObject({
      ok: false,
      message: /contract refuses the payment: REVERT/,
    })
    await adapter.stop()
  })
})
