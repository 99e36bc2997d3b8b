import type { Arrival, DepositAddress, Payout, SignedAttempt } from '@causeway/core/chain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TronAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { partsOf } from '../lane/signTransaction.js'
import { TronReader } from '../testing/tronReader.js'
import {
  CHAIN_ID,
  LAG,
  newOrderId,
  only,
  openTronWorld,
  TRX,
  type TronWorld,
  WINDOW_SECONDS,
} from '../tronWorld.test.support.js'
import { depositKeyOf } from './depositAddresses.js'

const seed = Buffer.alloc(32, 0x77)
let world: TronWorld
let adapter: TronAdapter
let reader: TronReader

beforeAll(async () => {
  world = await openTronWorld()
  await world.chain.advance(LAG + 1)
  reader = new TronReader({ chainId: CHAIN_ID, endpoint: world.chain.endpoint })
  adapter = world.adapterOver({ depositKey: depositKeyOf(seed) })
  await adapter.start(new AbortController().signal)
}, 60_000)

afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

const newAddress = (): DepositAddress => {
  const terms = { orderId: newOrderId(), depositor: world.user.address }
  const derived = adapter.depositAddresses?.derive?.(terms)
  if (derived === undefined) throw new Error('The adapter derives no addresses.')
  return { ...terms, ...derived }
}

const sweepOf = (address: DepositAddress, currency: string, amount: bigint): Payout => ({
  ...{ purpose: 'sweep', orderId: address.orderId, from: world.solver.address, calls: [] },
  ...{ to: { address: world.depository }, money: { currency, amount }, sweep: { address, currencies: [currency] } },
})

const signed = async (payout: Payout): Promise<SignedAttempt> => {
  const { position } = await adapter.lane.read(world.solver.address, null)
  const { prepared } = await adapter.lane.prepare([{ payout, gas: null }], position)
  const attempt = only(prepared)
  if (attempt === null) throw new Error('Nothing was prepared.')
  return adapter.lane.sign(attempt, world.solver.signer, undefined, seed)
}

const stateOf = async ({ txId, locator }: SignedAttempt, payout: Payout) =>
  only(await adapter.lane.states([{ txId, payout, ...(locator === undefined ? {} : { locator }) }]))

describe('a sweep', () => {
  it.each(['TRX', 'USDT'])('of %s is paid for by the solver, to the unit', async (symbol) => {
    const currency = symbol === 'TRX' ? NATIVE : world.usdt
    const address = newAddress()
    await world.chain.fund(address.destination.address, 40n * TRX, currency)
    await world.chain.advance()
    const payout = sweepOf(address, currency, 40n * TRX)
    const before = await reader.balance(world.solver.address, NATIVE)
    const attempt = await signed(payout)
    expect(only(await adapter.lane.broadcast([attempt]))).toEqual({ outcome: 'known' })
    await world.chain.advance()
    const { status, paid, fee } = await stateOf(attempt, payout)
    expect({ status, paid }).toEqual({ status: 'success', paid: 40n * TRX })
    expect(before - (await reader.balance(world.solver.address, NATIVE))).toBe(fee)
    expect(fee).toBeLessThanOrEqual(attempt.feeCap)
    expect(await reader.balance(address.destination.address, NATIVE)).toBe(0n)
    expect(await reader.balance(address.destination.address, currency)).toBe(0n)
  })

  it('funds no address whose money is gone', async () => {
    const address = newAddress()
    await world.chain.fund(address.destination.address, 40n * TRX)
    await world.chain.advance()
    const payout = sweepOf(address, NATIVE, 40n * TRX)
    const [first, second] = [await signed(payout), await signed(payout)]
    expect(only(await adapter.lane.broadcast([first]))).toEqual({ outcome: 'known' })
    await world.chain.advance()
    const before = await reader.balance(world.solver.address, NATIVE)
    expect(only(await adapter.lane.broadcast([second]))).toMatchObject({ outcome: 'rejected' })
    await world.chain.advance()
    expect(await reader.balance(world.solver.address, NATIVE)).toBe(before)
  })

  it('whose funding landed alone goes on with the same bytes', async () => {
    const address = newAddress()
    await world.chain.fund(address.destination.address, 40n * TRX)
    await world.chain.advance()
    const payout = sweepOf(address, NATIVE, 40n * TRX)
    const attempt = await signed(payout)
    const [transaction] = partsOf(attempt.raw, true)
    const body = JSON.stringify({ transaction })
    await fetch(`${world.chain.endpoint.http}/wallet/broadcasthex`, { method: 'POST', body })
    await world.chain.advance()
    expect((await stateOf(attempt, payout)).status).toBe('missing')
    expect(only(await adapter.lane.broadcast([attempt]))).toEqual({ outcome: 'known' })
    await world.chain.advance()
    expect(await stateOf(attempt, payout)).toMatchObject({ status: 'success', paid: 40n * TRX })
  })

  it('whose funding landed alone costs that funding once its time is over, and is paid for again', async () => {
    const address = newAddress()
    await world.chain.fund(address.destination.address, 40n * TRX)
    await world.chain.advance()
    const payout = sweepOf(address, NATIVE, 40n * TRX)
    const before = await reader.balance(world.solver.address, NATIVE)
    const attempt = await signed(payout)
    const [transaction] = partsOf(attempt.raw, true)
    const body = JSON.stringify({ transaction })
    await fetch(`${world.chain.endpoint.http}/wallet/broadcasthex`, { method: 'POST', body })
    await world.chain.advance()
    await world.chain.wind((WINDOW_SECONDS + 1) * 1000)
    await world.chain.advance(LAG + 2)
    const { status, paid, fee } = await stateOf(attempt, payout)
    expect({ status, paid }).toEqual({ status: 'reverted', paid: 0n })
    expect(before - (await reader.balance(world.solver.address, NATIVE))).toBe(fee)
    const { guards, txId } = attempt
    expect(await adapter.lane.payoutVerdict(guards, [txId], { agreeing: 1, payout })).toBe('dead')
    const again = await signed(payout)
    expect(only(await adapter.lane.broadcast([again]))).toEqual({ outcome: 'known' })
  })

  it('is no arrival at the address that it funds', async () => {
    const address = newAddress()
    const { address: text } = address.destination
    const live = { refresh: async () => undefined, has: (each: string) => each === text, awaits: () => false, size: 1 }
    const cursor = await adapter.cursorAt(BigInt(await world.chain.height()) + 1n)
    await world.chain.fund(text, 40n * TRX)
    await world.chain.advance()
    const attempt = await signed(sweepOf(address, NATIVE, 40n * TRX))
    await adapter.lane.broadcast([attempt])
    await world.chain.advance()
    const end = BigInt(await world.chain.height())
    const found: Arrival[] = []
    for await (const page of adapter.watch(cursor, live, new AbortController().signal)) {
      found.push(...(page.arrivals ?? []))
      if (page.height >= end) break
    }
    expect(found).toMatchObject([{ to: { address: text }, money: { currency: NATIVE, amount: 40n * TRX } }])
  })
})
