import { ServiceError } from '@causeway/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NATIVE } from '../../address/addresses.js'
import { freshAddress } from '../../lane/payWorld.test.support.js'
import { WRAPPED_SOL, wrappedAccountOf, wrapSol } from '../../swap/wrappedSol.js'
import { type LocalSvmChain, startLocalSvm } from '../../testing/index.js'
import { TOKEN_PROGRAM_ID } from '../../token/program/tokenPrograms.js'
import { tokenAccount } from '../../watch/reading.test.support.js'
import { type AddressWorld, createAddressWorld, depositCursor, depositsOf, seed } from '../addressWorld.test.support.js'

const LAMPORTS = 5_000_000n
const TOKENS = 10_000_000n
/** Two signatures, without a price for computation. */
const COST = 10_000n
const RENT = 2_039_280n

let chain: LocalSvmChain
let world: AddressWorld
let plain: string
let taxed: string
let hidden: string

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0, finalizedLag: 8 })
  plain = await chain.createToken({ decimals: 6, freezable: true })
  taxed = await chain.createToken({ decimals: 6, program: 'token-2022', transferFee: { bps: 100, maximum: 10n ** 9n } })
  hidden = await chain.createToken({ decimals: 6, program: 'token-2022' })
  world = createAddressWorld(chain, { tokens: [plain, taxed, hidden, WRAPPED_SOL.address] })
  for (const mint of [plain, taxed, hidden]) await chain.fund(world.user.address, 100n * TOKENS, mint)
  await chain.fund(world.vault.address, 1_000_000n)
  for (const mint of [plain, taxed]) await chain.openTokenAccount(world.vault.address, mint)
  await world.start()
})
afterAll(async () => {
  await world?.close()
  await chain?.close()
})

describe('a sweep of one currency (wire.md E.4)', () => {
  test('lamports: all of them go, the address ends at nothing, and the deposit is the depositor’s', async () => {
    const depositor = freshAddress()
    const address = world.newAddress(depositor)
    const cursor = await depositCursor(world)
    await world.pay(address, LAMPORTS)
    await world.pay(address, 1n)
    const before = await world.balance(world.solver.address)
    const payout = world.sweepOf(address, LAMPORTS)
    const simulation = await world.adapter.simulate(payout)
    expect(simulation).toMatchObject({ ok: true })
    const { paid, fee, status } = await world.sweep(payout)
    expect({ paid, fee, status }).toEqual({ paid: LAMPORTS + 1n, fee: COST, status: 'success' })
    expect((await world.addresses.sweepFee(NATIVE)).network).toEqual({ currency: NATIVE, amount: COST })
    expect(await world.balance(world.solver.address)).toBe(before - fee)
    expect(await world.balance(address.destination.address)).toBe(0n)
    const [deposit] = await depositsOf(world, cursor, address.orderId, 1)
    expect(deposit).toMatchObject({
      depositor,
      source: address.destination.address,
      money: { currency: NATIVE, amount: LAMPORTS + 1n },
    })
  })

  test.each(['plain', 'taxed', 'hidden'] as const)(
    'tokens (%s): what arrives is told, and the lane pays for nothing but the depository’s account',
    async (kind) => {
      const mint = { plain, taxed, hidden }[kind]
      const address = world.newAddress()
      const cursor = await depositCursor(world)
      await world.pay(address, TOKENS, mint)
      const [held] = await world.addresses.holdings([address], [mint])
      const amount = held?.[0]?.amount ?? 0n
      const [before, had] = [await world.balance(world.solver.address), await world.balance(world.vault.address, mint)]
      const payout = world.sweepOf(address, 1n, mint)
      const simulation = await world.adapter.simulate(payout)
      const { network } = await world.addresses.sweepFee(mint)
      const { paid, fee, currencyFee, attempt } = await world.sweep(payout)
      const gained = (await world.balance(world.vault.address, mint)) - had
      expect({ paid, currencyFee }).toEqual({ paid: gained, currencyFee: 0n })
      expect(gained).toBe(kind === 'taxed' ? amount - (amount + 99n) / 100n : amount)
      expect(await world.balance(world.solver.address)).toBe(before - fee)
      // The depository's account for the hidden one is not there before.
      const opening = simulation.ok ? (simulation.accountCreation ?? 0n) : -1n
      expect(opening > 0n).toBe(kind === 'hidden')
      expect({ amount: network.amount, cap: attempt.feeCap }).toEqual({ amount: COST + opening, cap: COST + opening })
      expect(fee).toBe(COST + opening)
      expect(await world.addresses.holdings([address], [mint])).toEqual([[]])
      const [deposit] = await depositsOf(world, cursor, address.orderId, 1)
      expect(deposit).toMatchObject({ depositor: world.user.address, money: { currency: mint, amount: gained } })
    },
  )

  test('an account of wrapped lamports stays: what came after it was read is not taken by the lane', async () => {
    const address = world.newAddress()
    const owner = address.destination.address
    const { user } = world
    const wrap = (lamports: bigint) =>
      chain.send(user, wrapSol({ payer: user.address, from: user.address, owner }, lamports))
    await wrap(LAMPORTS)
    const payout = world.sweepOf(address, LAMPORTS, WRAPPED_SOL.address)
    const attempt = await world.sign(payout)
    await wrap(7n)
    await world.lane.broadcast([attempt])
    expect(await world.settled(attempt, payout)).toMatchObject({ status: 'success', paid: LAMPORTS })
    expect(await world.balance(wrappedAccountOf(owner))).toBe(RENT + 7n)
    expect(await world.sweep(payout)).toMatchObject({ paid: 7n })
  })
})

describe('several currencies', () => {
  test('go in one transaction, each a deposit with the order id of the address', async () => {
    const address = world.newAddress()
    const cursor = await depositCursor(world)
    await world.pay(address, LAMPORTS)
    await world.pay(address, TOKENS, plain)
    await world.pay(address, TOKENS, hidden)
    const { paid } = await world.sweep(world.sweepOf(address, LAMPORTS, NATIVE, [hidden, taxed, plain]))
    expect(paid).toBe(LAMPORTS)
    const deposits = await depositsOf(world, cursor, address.orderId, 3)
    const money = deposits.map(({ money: { currency, amount } }) => [currency, amount])
    expect(new Map(money as [string, bigint][])).toEqual(
      new Map([
        [NATIVE, LAMPORTS],
        [plain, TOKENS],
        [hidden, TOKENS],
      ]),
    )
    expect(new Set(deposits.map(({ tx }) => tx.id)).size).toBe(1)
  })

  test('a token whose issuer froze the address keeps no other from moving, and is told when it is the one', async () => {
    const address = world.newAddress()
    await world.pay(address, TOKENS, plain)
    await world.pay(address, LAMPORTS)
    await chain.freeze(address.destination.address, plain)
    const frozen = await world.adapter.simulate(world.sweepOf(address, TOKENS, plain))
    expect(frozen).toMatchObject({ ok: false, message: expect.stringMatching(/frozen/) })
    expect(await world.sweep(world.sweepOf(address, LAMPORTS, NATIVE, [plain]))).toMatchObject({ paid: LAMPORTS })
    expect(await world.addresses.holdings([address], [plain])).toEqual([[{ currency: plain, amount: TOKENS }]])
  })

  test('what a transaction has no room for waits for the next sweep', async () => {
    const mints: string[] = []
    const address = world.newAddress()
    for (let at = 0; at < 8; at += 1) {
      const mint = await chain.createToken({ decimals: 6 })
      await chain.fund(address.destination.address, TOKENS, mint)
      mints.push(mint)
    }
    const [main = '', ...others] = mints
    expect(await world.adapter.simulate(world.sweepOf(address, TOKENS, main, others))).toMatchObject({ ok: true })
    expect(await world.sweep(world.sweepOf(address, TOKENS, main, others))).toMatchObject({ paid: TOKENS })
    const left = (await world.addresses.holdings([address], mints))[0] ?? []
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(mints.length - 1)
    expect(left.map(({ currency }) => currency)).not.toContain(main)
  })
})

describe('who may sweep, and what', () => {
  test('nothing: refused in plain words, prepared without bytes, and the lane goes on', async () => {
    const payout = world.sweepOf(world.newAddress(), LAMPORTS)
    expect(await world.adapter.simulate(payout)).toMatchObject({
      ok: false,
      kind: 'insufficient-funds',
      message: expect.stringMatching(/swept before, or never came/),
    })
    await expect(world.sign(payout)).rejects.toThrow(/swept before, or never came/)
  })

  test('the key must be that of the address: neither another seed nor none signs', async () => {
    const address = world.newAddress()
    await world.pay(address, LAMPORTS)
    const { prepared } = await world.lane.prepare([{ payout: world.sweepOf(address, 1n), gas: null }], { sequence: 99 })
    const [item] = prepared
    if (item === undefined || item === null) throw new Error('nothing was prepared')
    const stored = JSON.parse(JSON.stringify({ ...item, feeCap: '0' }))
    for (const wrong of [undefined, Buffer.from(seed).reverse()]) {
      await expect(world.lane.sign({ ...stored, feeCap: 0n }, world.signer, undefined, wrong)).rejects.toThrow(
        ServiceError,
      )
    }
    expect((await world.lane.sign({ ...stored, feeCap: 0n }, world.signer, undefined, seed)).raw).toMatch(/^0x/)
  })

  test('an address that another salt derives is refused', async () => {
    const [address, other] = [world.newAddress(), world.newAddress()]
    await world.pay(address, LAMPORTS)
    await expect(world.sign(world.sweepOf({ ...address, derivation: other.derivation }, 1n))).rejects.toThrow(
      /does not give the key of/,
    )
    const none = world.sweepOf({ ...address, derivation: {} }, 1n)
    expect(await world.adapter.simulate(none)).toMatchObject({ ok: false, message: expect.stringMatching(/no salt/) })
    await expect(world.sign(none)).rejects.toThrow(/no salt/)
  })

  test('of two sweeps under way one takes all, and the other is told to have brought nothing', async () => {
    const address = world.newAddress()
    const cursor = await depositCursor(world)
    await world.pay(address, LAMPORTS)
    const payout = world.sweepOf(address, LAMPORTS)
    const [first, second] = [await world.sign(payout), await world.sign(payout)]
    await world.lane.broadcast([first])
    expect(await world.settled(first, payout)).toMatchObject({ status: 'success', paid: LAMPORTS })
    await world.lane.broadcast([second])
    expect(await world.settled(second, payout)).toMatchObject({ status: 'reverted', paid: 0n, fee: COST })
    expect(await world.adapter.simulate(payout)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
    await chain.advance(10)
    expect(await world.lane.payoutVerdict(first.guards, [first.txId])).toBe('landed')
    expect(await world.lane.payoutVerdict(second.guards, [second.txId])).toBe('dead')
    expect(await depositsOf(world, cursor, address.orderId, 1)).toHaveLength(1)
  })

  test('the token account of the depository is opened, also where a stranger put lamports there', async () => {
    const mint = await chain.createToken({ decimals: 6 })
    await chain.fund(tokenAccount(world.vault.address, mint, TOKEN_PROGRAM_ID), 1_000_000n)
    const address = world.newAddress()
    await chain.fund(address.destination.address, TOKENS, mint)
    expect(await world.sweep(world.sweepOf(address, TOKENS, mint))).toMatchObject({ status: 'success', paid: TOKENS })
  })
})

test('a lane whose journal lost a sweep reads it back as one, to the depository, failed or not', async () => {
  const address = world.newAddress()
  await world.pay(address, TOKENS, plain)
  await world.pay(address, LAMPORTS)
  const before = await world.lane.read(world.solver.address, null)
  const sinceHeight = (await world.adapter.tip()).height
  const payouts = [world.sweepOf(address, TOKENS, plain), world.sweepOf(address, LAMPORTS), world.sweepOf(address, 1n)]
  const attempts = []
  for (const payout of payouts) attempts.push(await world.sign(payout))
  for (const attempt of attempts) {
    await world.lane.broadcast([attempt])
    await world.settled(attempt, world.sweepOf(address, 1n))
  }
  const { unknown } = await world.lane.read(world.solver.address, { position: before.position, sinceHeight })
  const told = unknown.map(({ tx, purpose, orderId, to, money, status }) => ({
    id: tx.id,
    purpose,
    orderId,
    to,
    money,
    status,
  }))
  const shared = { purpose: 'sweep', orderId: address.orderId, to: world.vault.address }
  expect(told).toEqual([
    { ...shared, id: attempts[0]?.txId, money: { currency: plain, amount: TOKENS }, status: 'success' },
    { ...shared, id: attempts[1]?.txId, money: { currency: NATIVE, amount: LAMPORTS }, status: 'success' },
    { ...shared, id: attempts[2]?.txId, money: { currency: NATIVE, amount: 0n }, status: 'reverted' },
  ])
})

test('F151: lamports that come while a sweep is under way are taken along, however many, and it lands', async () => {
  const address = world.newAddress()
  const cursor = await depositCursor(world)
  const payout = world.sweepOf(address, LAMPORTS)
  for (const late of [1n, 5_000n, 2n * LAMPORTS]) {
    await world.pay(address, LAMPORTS)
    const attempt = await world.sign(payout)
    await world.pay(address, late)
    await world.lane.broadcast([attempt])
    expect(await world.settled(attempt, payout)).toMatchObject({ status: 'success', paid: LAMPORTS + late, fee: COST })
    expect(await world.balance(address.destination.address)).toBe(0n)
  }
  const deposits = await depositsOf(world, cursor, address.orderId, 3)
  expect(deposits.map(({ source }) => source)).toEqual(Array(3).fill(address.destination.address))
})

test.each([RENT, RENT - 1n, 890_881n])(
  'F151: %d lamports, no more than the rent of a token account, are swept with those that come meanwhile, however often',
  async (amount) => {
    const address = world.newAddress()
    const cursor = await depositCursor(world)
    await world.pay(address, amount)
    const payout = world.sweepOf(address, amount)
    expect(await world.adapter.simulate(payout)).toMatchObject({ ok: true })
    const attempt = await world.sign(payout)
    await world.pay(address, 1n)
    await world.lane.broadcast([attempt])
    expect(await world.settled(attempt, payout)).toMatchObject({ status: 'success', paid: amount + 1n, fee: COST })
    expect(await world.balance(address.destination.address)).toBe(0n)
    const [deposit] = await depositsOf(world, cursor, address.orderId, 1)
    expect(deposit).toMatchObject({
      source: address.destination.address,
      money: { currency: NATIVE, amount: amount + 1n },
    })
  },
)

test('F151: a unit of a token that comes while its sweep is under way makes no sweep fail, however often', async () => {
  const address = world.newAddress()
  await world.pay(address, TOKENS, plain)
  const payout = world.sweepOf(address, TOKENS, plain)
  for (const taken of [TOKENS, 1n, 1n]) {
    const attempt = await world.sign(payout)
    await world.pay(address, 1n, plain)
    await world.lane.broadcast([attempt])
    expect(await world.settled(attempt, payout)).toMatchObject({ status: 'success', paid: taken })
  }
})

test('an emptied token account is closed by the next sweep that finds it empty; a unit that comes meanwhile costs one sweep', async () => {
  const address = world.newAddress()
  const owner = address.destination.address
  await world.pay(address, TOKENS, plain)
  await world.sweep(world.sweepOf(address, TOKENS, plain))
  const held = tokenAccount(owner, plain, TOKEN_PROGRAM_ID)
  expect(await world.balance(held)).toBe(RENT)
  await world.pay(address, LAMPORTS)
  const native = world.sweepOf(address, LAMPORTS)
  const attempt = await world.sign(native)
  await world.pay(address, 1n, plain)
  await world.lane.broadcast([attempt])
  expect(await world.settled(attempt, native)).toMatchObject({ status: 'reverted', paid: 0n })
  // The unit is still there: the account is not empty, so nothing is closed.
  const again = await world.sign(native)
  await world.pay(address, 1n, plain)
  await world.lane.broadcast([again])
  expect(await world.settled(again, native)).toMatchObject({ status: 'success', paid: LAMPORTS })
  await world.sweep(world.sweepOf(address, 2n, plain))
  await world.pay(address, LAMPORTS)
  const before = await world.balance(world.solver.address)
  expect(await world.sweep(native)).toMatchObject({ paid: LAMPORTS })
  expect(await world.balance(held)).toBe(0n)
  expect(await world.balance(world.solver.address)).toBe(before - COST + RENT)
})

test('a payment too small for a new account is refused in plain words; what is there already counts', async () => {
  const address = world.newAddress()
  await expect(world.pay(address, 890_879n)).rejects.toMatchObject({
    code: 'AMOUNT_TOO_LOW',
    message: expect.stringMatching(/no less than 890880 lamports/),
  })
  await world.pay(address, 890_880n)
  await world.pay(address, 1n)
  expect(await world.addresses.holdings([address], [NATIVE])).toEqual([[{ currency: NATIVE, amount: 890_881n }]])
  await expect(world.pay(address, 1n, freshAddress())).rejects.toMatchObject({ code: 'UNSUPPORTED_CURRENCY' })
})

test('holdings of many addresses: one answer each, in batches', async () => {
  const paid = world.newAddress()
  await world.pay(paid, LAMPORTS)
  await world.pay(paid, TOKENS, plain)
  const empty = Array.from({ length: 600 }, () => ({ ...paid, destination: { address: freshAddress() } }))
  const before = await chain.callCounts()
  const held = await world.addresses.holdings([...empty, paid], [plain, NATIVE, freshAddress()])
  const after = await chain.callCounts()
  expect(held).toHaveLength(601)
  expect(held.slice(0, 600).flat()).toEqual([])
  expect(held[600]).toEqual([
    { currency: plain, amount: TOKENS },
    { currency: NATIVE, amount: LAMPORTS },
  ])
  expect((after.getMultipleAccounts ?? 0) - (before.getMultipleAccounts ?? 0)).toBe(10 + 3)
})

test('without the option there is no capability', async () => {
  expect(world.addresses.forms).toEqual(['hd-key'])
  const without = { options: { depositPoolKey: null } }
  expect(() => createAddressWorld(chain, without)).toThrow('The adapter has no deposit addresses.')
})
