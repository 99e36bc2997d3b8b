import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import type { DepositAddress, Payout, PreparedAttempt, SignedAttempt } from '@causeway/core/chain'
import { Address, comment, internal, type MessageRelaxed } from '@ton/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TonAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { internalMessage } from '../testing/engine/internalMessage.js'
import { type TestedWallet, TON } from '../testing/testedTon.test.support.js'
import { messagesOf, type TonStep, tonConnectRequest } from '../testing/tonConnect.js'
import { newKey, openTonWorld, type TonWorld } from '../tonWorld.test.support.js'
import { poolKeyOf } from './depositAddresses.js'

const NETWORK_ID = -239
const ARRIVAL = 6
const seed = Buffer.alloc(32, 0x5e)

let ton: TonWorld
let user: TestedWallet
let adapter: TonAdapter
let solver: Awaited<ReturnType<TonWorld['startSolver']>>['solver']

beforeAll(async () => {
  ton = await openTonWorld()
  user = await ton.network.wallet(100_000n * TON)
  await ton.network.chain.fund(user.address.toRawString(), 1000n, ton.token)
  ;({ solver, adapter } = await ton.startSolver(100n * TON, 0n, { depositPoolKey: poolKeyOf(seed, NETWORK_ID) }))
}, 120_000)

afterAll(() => ton?.close())

const addresses = () => {
  const { depositAddresses } = adapter
  if (depositAddresses?.pool === undefined) throw new Error('The adapter has no pool of addresses.')
  return { ...depositAddresses, pool: depositAddresses.pool }
}

const newAddress = (): DepositAddress => {
  const { destination, derivation } = addresses().pool.make(seed, bytesToHex(randomBytes(32)))
  return { orderId: bytesToHex(randomBytes(32)), depositor: user.address.toRawString(), destination, derivation }
}

const now = async (): Promise<number> => Number(Object(JSON.parse((await ton.network.get('/block/latest')).text)).now)

const submit = async (messages: readonly MessageRelaxed[]): Promise<void> => {
  await user.submit([...messages], { timeout: (await now()) + 300 })
  await ton.network.chain.advance(ARRIVAL)
}

const pay = async ({ destination }: DepositAddress, amount: bigint, currency = NATIVE): Promise<void> => {
  const money = { currency, amount }
  const [step] = await addresses().buildPayment({ from: user.address.toRawString(), to: destination, money })
  // CAST: the shape of a step item of this chain.
  await submit(messagesOf(tonConnectRequest(step?.data as unknown as TonStep, await now())))
}

const heldAt = async (address: DepositAddress, currency = NATIVE): Promise<bigint> =>
  (await addresses().holdings([address], [currency]))[0]?.[0]?.amount ?? 0n

const balanceOf = async (address: string, currency = NATIVE): Promise<bigint> =>
  (await adapter.getBalances([{ address, currency }])).amounts[0] ?? 0n

const sweepOf = (address: DepositAddress, amount: bigint, currency = NATIVE): Payout => ({
  ...{ purpose: 'sweep', orderId: address.orderId, from: solver.address, calls: [] },
  ...{ to: { address: ton.vault.address }, money: { currency, amount }, sweep: { address, currencies: [currency] } },
})

const prepare = async (payout: Payout) => {
  const { position } = await adapter.lane.read(solver.address, null)
  return (await adapter.lane.prepare([{ payout, gas: null }], position)).prepared[0]
}

const signOf = async (prepared: PreparedAttempt | null | undefined, secret = seed): Promise<SignedAttempt> => {
  if (prepared == null) throw new Error('Nothing can be swept.')
  return adapter.lane.sign(prepared, solver.signer, undefined, secret)
}

const sign = async (payout: Payout): Promise<SignedAttempt> => signOf(await prepare(payout))

const land = async (attempt: SignedAttempt, payout: Payout) => {
  await adapter.lane.broadcast([attempt])
  await ton.network.chain.advance(ARRIVAL)
  const [state] = await adapter.lane.states([{ txId: attempt.txId, payout }])
  if (state === undefined) throw new Error('The sweep has no state.')
  return state
}

const sweep = async (address: DepositAddress, currency = NATIVE) => {
  const payout = sweepOf(address, await heldAt(address, currency), currency)
  return land(await sign(payout), payout)
}

it('the first sweep brings the code of the wallet, the next does not need it, and each takes all that users paid', async () => {
  const address = newAddress()
  for (const amount of [2n * TON, 3n * TON, TON / 20n]) {
    await pay(address, amount)
    const swept = await sweep(address)
    expect(swept).toMatchObject({ status: 'success', paid: amount })
    expect(await heldAt(address)).toBe(0n)
  }
})

it('an address that holds only jettons is swept, and the TON that was not needed returns to the solver', async () => {
  const address = newAddress()
  await pay(address, 100n, ton.token)
  const before = await balanceOf(solver.address)
  const swept = await sweep(address, ton.token)
  expect(swept).toMatchObject({ status: 'success', paid: 100n })
  expect(before - (await balanceOf(solver.address))).toBe(swept.fee)
  expect(swept.fee).toBeLessThan(40_000_000n)
  expect(await balanceOf(ton.vault.address, ton.token)).toBe(100n)
})

it('sweeps share a request with payments, and each is judged alone', async () => {
  const [coins, jettons] = [newAddress(), newAddress()]
  await pay(coins, 2n * TON)
  await pay(jettons, 70n, ton.token)
  const fill: Payout = {
    ...{ purpose: 'fill', orderId: bytesToHex(randomBytes(32)), from: solver.address, calls: [] },
    ...{ to: { address: newKey().address }, money: { currency: NATIVE, amount: TON } },
  }
  const payouts = [sweepOf(coins, 2n * TON), sweepOf(jettons, 70n, ton.token), fill]
  const { position } = await adapter.lane.read(solver.address, null)
  const items = payouts.map((payout) => ({ payout, gas: null }))
  const { prepared } = await adapter.lane.prepare(items, position)
  expect(new Set(prepared).size).toBe(1)
  const attempt = await signOf(prepared[0])
  await adapter.lane.broadcast([attempt])
  await ton.network.chain.advance(ARRIVAL)
  const states = await adapter.lane.states(payouts.map((payout) => ({ txId: attempt.txId, payout })))
  expect(states.map(({ paid }) => paid)).toEqual([2n * TON, 70n, TON])
})

it('money that another request took meanwhile is swept once, and the solver gets its nanotons back', async () => {
  const address = newAddress()
  await pay(address, 5n * TON)
  const payout = sweepOf(address, 5n * TON)
  const { position } = await adapter.lane.read(solver.address, null)
  const one = await adapter.lane.prepare([{ payout, gas: null }], position)
  const two = await adapter.lane.prepare([{ payout, gas: null }], one.position)
  const [first, second] = await Promise.all([one, two].map(({ prepared }) => signOf(prepared[0])))
  if (first === undefined || second === undefined) throw new Error('There are two sweeps.')
  expect(await land(first, payout)).toMatchObject({ status: 'success', paid: 5n * TON })
  const before = await balanceOf(solver.address)
  const { status, paid, fee } = await land(second, payout)
  expect({ status, paid }).toEqual({ status: 'reverted', paid: 0n })
  expect(before - (await balanceOf(solver.address))).toBe(fee)
  expect(fee).toBeLessThan((await addresses().sweepFee(NATIVE)).network.amount)
})

it('an address keeps its money when a payment is sent back', async () => {
  const address = newAddress()
  const to = Address.parseRaw(address.destination.address)
  await submit([internal({ to, value: TON, bounce: true, body: comment('') })])
  expect(await heldAt(address)).toBe(0n)
  await pay(address, TON)
  await sweep(address)
  await submit([internal({ to, value: TON, bounce: true, body: comment('') })])
  expect(await heldAt(address)).toBe(TON)
})

it('an address that gets much dust counts by its balance, and is swept', async () => {
  const address = newAddress()
  await pay(address, TON)
  const to = Address.parseRaw(address.destination.address)
  const dust = Array.from({ length: 250 }, () => internalMessage(user.address, to, 1000n))
  await ton.network.chain.apply(...dust)
  const balance = await balanceOf(address.destination.address)
  expect(await heldAt(address)).toBe(balance)
  expect(await sweep(address)).toMatchObject({ status: 'success', paid: balance })
})

it('a sweep without its seed is refused', async () => {
  const address = newAddress()
  await pay(address, TON)
  const prepared = await prepare(sweepOf(address, TON))
  if (prepared == null) throw new Error('Nothing can be swept.')
  await expect(adapter.lane.sign(prepared, solver.signer)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  const strange = signOf(prepared, Buffer.alloc(32, 1))
  await expect(strange).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

it('what a user paid counts, not what rent left, and the fees of a sweep are no money of the user', async () => {
  const address = newAddress()
  await pay(address, TON)
  await ton.network.chain.wind(30 * 86_400_000)
  await ton.network.chain.advance(2)
  await pay(address, TON)
  expect(await balanceOf(address.destination.address)).toBeLessThan(2n * TON)
  expect(await sweep(address)).toMatchObject({ status: 'success', paid: 2n * TON })
  expect(await balanceOf(address.destination.address)).toBeGreaterThan(0n)
  expect(await heldAt(address)).toBe(0n)
  expect(await adapter.simulate(sweepOf(address, 1n))).toMatchObject({ ok: false, kind: 'revert' })
})
