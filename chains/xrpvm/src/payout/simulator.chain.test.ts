import type { Payout } from '@causeway/core/chain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { freshAddress, only, openPayWorld, type PayWorld, PLENTY } from '../lane/payWorld.test.support.js'

const UNIT = 10n ** 15n
/** Reserve of an account on the local ledger. */
const RESERVE = 1_000_000n
const REQUIRE_TAG = 1
const DEPOSIT_AUTH = 9
const DEFAULT_RIPPLE = 8

let world: PayWorld
let issuer: string
let currency: string
beforeAll(async () => {
  world = await openPayWorld()
  issuer = await funded()
  currency = `USD.${issuer}`
  await world.chain.apply({ TransactionType: 'AccountSet', Account: issuer, SetFlag: DEFAULT_RIPPLE })
  // One in a hundred.
  await world.chain.apply({ TransactionType: 'AccountSet', Account: issuer, TransferRate: 1_010_000_000 })
  await world.chain.fund(world.solver.address, 1_000n * UNIT, currency)
})
afterAll(() => world?.close())

const funded = async (): Promise<string> => {
  const address = freshAddress()
  await world.chain.fund(address, 5_000_000n)
  return address
}

const withFlag = async (SetFlag: number): Promise<string> => {
  const address = await funded()
  await world.chain.apply({ TransactionType: 'AccountSet', Account: address, SetFlag })
  return address
}

const xrp = (to: string, amount = 2_000_000n): Payout => world.payout({ to, money: { currency: NATIVE, amount } })
const usd = (to: string, units: bigint): Payout => world.payout({ to, money: { currency, amount: units * UNIT } })

const said = async (payout: Payout) => {
  const outcome = await world.simulator().simulate(payout)
  return outcome.ok
    ? { ok: true, leastAmount: outcome.leastAmount }
    : { kind: outcome.kind, leastAmount: outcome.leastAmount }
}

describe.each([
  ['run by a server', false],
  ['at a server too old to run it, told by what both sides hold', true],
])('a payment %s', (_, isOld) => {
  beforeAll(() => world.chain.refuse('simulate', isOld))

  it('of XRP arrives, at a new account from its reserve on', async () => {
    expect(await said(xrp(await funded(), 1n))).toEqual({ ok: true, leastAmount: 0n })
    expect(await said(xrp(freshAddress()))).toEqual({ ok: true, leastAmount: RESERVE })
    expect(await said(xrp(freshAddress(), RESERVE - 1n))).toEqual({
      kind: 'recipient-cannot-receive',
      leastAmount: RESERVE,
    })
  })

  it('needs a tag where the account asks for one, and leave where it takes none unasked', async () => {
    const exchange = await withFlag(REQUIRE_TAG)
    expect(await said(xrp(exchange))).toMatchObject({ kind: 'recipient-cannot-receive' })
    expect(await said({ ...xrp(exchange), to: { address: exchange, tag: 0 } })).toMatchObject({ ok: true })
    expect(await said(xrp(await withFlag(DEPOSIT_AUTH)))).toMatchObject({ kind: 'recipient-cannot-receive' })
  })

  it('is not made of what the solver does not hold', async () => {
    expect(await said(xrp(await funded(), PLENTY))).toMatchObject({ kind: 'insufficient-funds' })
    const holder = await funded()
    await world.chain.fund(holder, UNIT, currency)
    expect(await said(usd(holder, 2_000n))).toMatchObject({ kind: 'insufficient-funds' })
    // The issuer takes its part besides.
    expect(await said(usd(holder, 1_000n))).toMatchObject({ kind: 'insufficient-funds' })
    expect(await said(usd(holder, 900n))).toEqual({ ok: true, leastAmount: undefined })
  })

  it('of an issued currency needs a trust line', async () => {
    expect(await said(usd(await funded(), 5n))).toMatchObject({ kind: 'recipient-cannot-receive' })
    expect(await said(usd(freshAddress(), 5n))).toMatchObject({ kind: 'recipient-cannot-receive' })
    expect(await said(usd(issuer, 5n))).toMatchObject({ ok: true })
  })

  it('that the ledger cannot write would fail whoever pays', async () => {
    const odd = world.payout({ to: await funded(), money: { currency, amount: 10n ** 16n + 1n } })
    expect(await said(odd)).toMatchObject({ kind: 'revert' })
  })
})

it('no answer says nothing of a payment', async () => {
  await world.chain.failNext({ error: { code: 9, message: 'tooBusy' }, times: 50 })
  expect(await said(xrp(freshAddress()))).toMatchObject({ kind: 'transient' })
  await world.chain.clearFaults()
})

it('an issuer takes its part of the solver: told before, bounded by the payment, and told after', async () => {
  await world.chain.refuse('simulate', false)
  const holder = await funded()
  await world.chain.fund(holder, UNIT, currency)
  const payout = usd(holder, 100n)
  expect(await world.fees().payoutFee(payout)).toMatchObject({ currencyFee: UNIT })
  expect((await world.fees().payoutFee(usd(issuer, 100n))).currencyFee).toBeUndefined()
  const { attempts } = await world.sign(
    world.lane,
    (await world.lane.read(world.solver.address, null)).position,
    payout,
  )
  expect(only(attempts).transaction).toMatchObject({ SendMax: { value: '101' } })
  await world.lane.broadcast(attempts)
  await world.chain.advance()
  const [state] = await world.lane.states([{ txId: only(attempts).txId, payout }])
  expect(state).toMatchObject({ status: 'success', paid: 100n * UNIT, currencyFee: UNIT })
})

it('the network fee follows the load, up to what is configured', async () => {
  expect((await world.fees().depositFee()).network).toEqual({
    currency: NATIVE,
    amount: 13n,
  })
  await world.chain.setFee({ openLedgerFee: 1_000n })
  expect((await world.fees().payoutFee(xrp(issuer))).network.amount).toBe(1_250n)
  await world.chain.setFee({ openLedgerFee: 100_000n })
  expect((await world.fees().payoutFee(xrp(issuer))).network.amount).toBe(5_000n)
  await world.chain.setFee({ openLedgerFee: 0n })
})
