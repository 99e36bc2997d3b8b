import type { Payout, SignedAttempt } from '@causeway/core/chain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LighterAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import {
  ETH,
  fillOf,
  type LighterWorld,
  newKey,
  OVER_MS,
  openLighterWorld,
  signPayout,
} from '../lighterWorld.test.support.js'
import { readPrepared } from '../payout/paymentForm.js'
import { textOf } from './signTransfer.js'

let world: LighterWorld
let adapter: LighterAdapter

beforeAll(async () => {
  world = await openLighterWorld()
  adapter = world.adapterOver(world.endpoints())
  await adapter.start(new AbortController().signal)
}, 60_000)

afterEach(async () => {
  await world.chain.clearFaults()
  await world.chain.setTransferFee(3_000_000n)
})

afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

const only = <T>(items: readonly T[]): T => {
  const [item] = items
  if (item === undefined || items.length !== 1) throw new Error(`There are ${items.length} items, not one.`)
  return item
}

const balanceOf = (address: string, currency = NATIVE) => world.wallet.chain.balance(address, currency)

const send = async (attempt: SignedAttempt) => {
  const result = only(await adapter.lane.broadcast([attempt]))
  return result.outcome === 'rejected' ? result.reason : result.outcome
}

const stateOf = async ({ txId }: SignedAttempt, payout: Payout) => only(await adapter.lane.states([{ txId, payout }]))

const verdict = ({ guards, txId }: SignedAttempt) => adapter.lane.payoutVerdict(guards, [txId], { agreeing: 1 })

/** Lets the time of payments pass. */
const passLifetime = async (): Promise<void> => {
  await world.chain.wind(OVER_MS)
  await world.chain.advance(2)
}

const pay = async (changes: Partial<Payout> = {}) => {
  const to = await world.chain.openAccount(newKey().owner)
  const payout = fillOf(world, to, changes)
  const { attempt } = await signPayout(world, adapter, payout)
  return { to, payout, attempt }
}

describe('a payment', () => {
  it('is stored with both signatures, and the same bytes are paid once however often they are sent', async () => {
    const { to, payout, attempt } = await pay()
    expect(JSON.parse(textOf(attempt.raw))).toMatchObject({
      ...{ ToAccountIndex: Number(to), Amount: 5_000_000, USDCFee: 3_000_000, L1Sig: expect.stringMatching(/^0x/) },
      Memo: [...Buffer.from(payout.orderId.slice(2), 'hex')],
    })
    expect((await stateOf(attempt, payout)).status).toBe('missing')
    expect([await send(attempt), await send(attempt)]).toEqual(['known', 'known'])
    await world.chain.advance()
    expect(await send(attempt)).toBe('known')
    await world.chain.advance()
    expect(await balanceOf(to)).toBe(5_000_000n)
    expect(await stateOf(attempt, payout)).toMatchObject({ status: 'success', paid: 5_000_000n, fee: 3_000_000n })
    expect(await verdict(attempt)).toBe('landed')
  })

  it('of a spot asset costs the fee in perps USDC', async () => {
    const held = await balanceOf(world.solver.account)
    const { to, payout, attempt } = await pay({ money: { currency: ETH, amount: 9n } })
    await send(attempt)
    await world.chain.advance()
    expect([await balanceOf(to, ETH), await balanceOf(world.solver.account)]).toEqual([9n, held - 3_000_000n])
    expect(await stateOf(attempt, payout)).toMatchObject({ status: 'success', paid: 9n, fee: 3_000_000n })
  })

  it('names its purpose beside its order, which a lane without a journal reads back', async () => {
    const { position } = await adapter.lane.read(world.solver.account, null)
    const sinceHeight = BigInt(await world.chain.height())
    const { payout, attempt } = await pay({ purpose: 'refund' })
    await send(attempt)
    await world.chain.advance()
    const { unknown } = await adapter.lane.read(world.solver.account, { position, sinceHeight })
    expect(unknown).toMatchObject([{ orderId: payout.orderId, purpose: 'refund', tx: { id: attempt.txId } }])
  })

  it('that failed in its block is told apart from a dead one, and costs nothing', async () => {
    const held = await balanceOf(world.solver.account)
    const { payout, attempt } = await pay()
    await world.chain.failNextTransfer()
    await send(attempt)
    await world.chain.advance()
    expect(await stateOf(attempt, payout)).toMatchObject({ status: 'reverted', fee: 0n })
    expect(await balanceOf(world.solver.account)).toBe(held)
    expect(await verdict(attempt)).toBe('dead')
  })

  it('whose answers were all lost is paid once', async () => {
    const { to, attempt } = await pay()
    await world.chain.failNext({ method: 'sendTx', lost: true, times: 1 })
    await send(attempt)
    expect(await send(attempt)).toBe('known')
    await world.chain.advance()
    expect(await balanceOf(to)).toBe(5_000_000n)
  })
})

describe('a payment that did not land', () => {
  it('is alive until its expiry is over, then dead, and its number is assigned again', async () => {
    const { attempt } = await pay()
    await world.chain.wind(OVER_MS / 2)
    await world.chain.advance(2)
    expect(await verdict(attempt)).toBe('alive')
    await passLifetime()
    expect(await verdict(attempt)).toBe('dead')
    expect(await send(attempt)).toBe('expired')
    const again = await pay()
    expect(readPrepared(again.attempt.transaction).nonce).toBe(readPrepared(attempt.transaction).nonce)
    expect(await send(again.attempt)).toBe('known')
    await world.chain.advance()
    expect(await balanceOf(again.to)).toBe(5_000_000n)
  })

  it('is dead once another transaction of the API key used its number, and that is seen', async () => {
    const [one, other] = [await pay(), await pay()]
    expect(readPrepared(one.attempt.transaction).nonce).toBe(readPrepared(other.attempt.transaction).nonce)
    await send(other.attempt)
    expect(await verdict(one.attempt)).toBe('alive')
    await world.chain.advance()
    expect(await send(one.attempt)).toBe('nonce-too-low')
    expect([await verdict(one.attempt), await verdict(other.attempt)]).toEqual(['dead', 'landed'])
    expect(await balanceOf(one.to)).toBe(0n)
  })

  it('because the fee rose is refused, and made again with the new fee once it is dead', async () => {
    const { to, payout, attempt } = await pay()
    await world.chain.setTransferFee(4_000_000n)
    expect(await send(attempt)).toBe('underpriced')
    await passLifetime()
    expect(await verdict(attempt)).toBe('dead')
    const again = await signPayout(world, adapter, payout)
    expect(readPrepared(again.attempt.transaction).fee).toBe('4000000')
    expect(await send(again.attempt)).toBe('known')
    await world.chain.advance()
    expect(await balanceOf(to)).toBe(5_000_000n)
  })

  it('is not made where the fee is above its limit', async () => {
    const payout = fillOf(world, await world.chain.openAccount(newKey().owner), { feeLimit: 2_999_999n })
    const { position } = await adapter.lane.read(world.solver.account, null)
    expect((await adapter.lane.prepare([{ payout, gas: null }], position)).prepared).toEqual([null])
  })
})

it('a payment needs the API key of its account, and the Ethereum key that owns it', async () => {
  const keyless = world.adapterOver(world.endpoints(), { isKeyless: true })
  const { position } = await adapter.lane.read(world.solver.account, null)
  const payout = fillOf(world, world.user.account)
  await expect(keyless.lane.prepare([{ payout, gas: null }], position)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('SOLVER_KEY'),
  })
  const { prepared } = await adapter.lane.prepare([{ payout, gas: null }], position)
  await expect(adapter.lane.sign(only(prepared) ?? never(), newKey().signer)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
})

const never = (): never => {
  throw new Error('The payment was not prepared.')
}
