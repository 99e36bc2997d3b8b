import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import type { AttemptState, DepositAddress, Payout, RpcEndpoint } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { HederaAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import {
  CHAIN_ID,
  HBAR,
  type HederaWorld,
  newKey,
  only,
  openHederaWorld,
  WINDOW_SECONDS,
} from '../hederaWorld.test.support.js'
import { type Listed, startRewritingMirror } from '../rpc/rewritingMirror.test.support.js'
import { HederaWallet } from '../testing/hederaWallet.js'
import { depositAccountOf } from './memoAddresses.js'

const seed = Buffer.alloc(32, 0x5e)
const deposits = depositAccountOf(seed, CHAIN_ID)
const user = newKey()

let world: HederaWorld
let adapter: HederaAdapter
let wallet: HederaWallet
let account: string
let userId: string

beforeAll(async () => {
  world = await openHederaWorld()
  account = await world.open({ ...deposits, secret: '' })
  await world.associate(account, world.token)
  for (const address of [user.address, deposits.address]) await world.chain.fund(address, 100n * HBAR)
  await world.chain.fund(user.address, 100n * HBAR, world.token)
  wallet = new HederaWallet(world.chain, user.secret)
  userId = await wallet.chain.accountId(user.address)
  adapter = world.adapterOver({ depositAccount: deposits.address })
  await adapter.start(new AbortController().signal)
})

afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

const addresses = (of = adapter) => {
  const { depositAddresses } = of
  if (depositAddresses?.derive === undefined) throw new Error('The adapter has no deposit addresses.')
  return { ...depositAddresses, derive: depositAddresses.derive }
}

const newAddress = (): DepositAddress => {
  const terms = { orderId: bytesToHex(randomBytes(32)), depositor: userId }
  return { ...terms, ...addresses().derive(terms) }
}

/** An address to which a wallet paid so much. */
const paidAddress = async (currency: string, amount: bigint): Promise<DepositAddress> => {
  const address = newAddress()
  const money = { currency, amount }
  const items = await addresses().buildPayment({ from: userId, to: address.destination, money })
  await (await wallet.prepare([{ items }])).send()
  await world.chain.advance()
  return address
}

const heldAt = async (address: DepositAddress, currency: string, of = adapter): Promise<bigint> =>
  (await addresses(of).holdings([address], [currency]))[0]?.[0]?.amount ?? 0n

const sweepOf = async (address: DepositAddress, currency: string): Promise<Payout> => ({
  ...{ purpose: 'sweep', orderId: address.orderId, from: world.solver.address, calls: [] },
  to: { address: world.vault.address },
  money: { currency, amount: await heldAt(address, currency) },
  sweep: { address, currencies: [currency] },
})

const sign = async (payout: Payout) => {
  const { position } = await adapter.lane.read(payout.from, null)
  const { prepared } = await adapter.lane.prepare([{ payout, gas: null }], position)
  const attempt = only(prepared)
  return attempt === null ? null : adapter.lane.sign(attempt, world.solver.signer, undefined, seed)
}

const sweep = async (address: DepositAddress, currency: string): Promise<AttemptState> => {
  const payout = await sweepOf(address, currency)
  const signed = await sign(payout)
  if (signed === null) throw new Error('Nothing can be swept.')
  await adapter.lane.broadcast([signed])
  await world.chain.advance()
  return only(await adapter.lane.states([{ txId: signed.txId, payout }]))
}

it.each(['HBAR', 'a token'])(
  'a sweep of %s takes the balance of its memo alone, and the solver pays its fee',
  async (name) => {
    const currency = name === 'HBAR' ? NATIVE : world.token
    const [one, other] = [await paidAddress(currency, 4n * HBAR), await paidAddress(currency, 3n * HBAR)]
    const balance = async () => (await adapter.getBalances([{ address: deposits.address, currency }])).amounts[0] ?? 0n
    const before = await balance()
    expect(await sweep(one, currency)).toMatchObject({ status: 'success', paid: 4n * HBAR })
    expect([await heldAt(one, currency), await heldAt(other, currency)]).toEqual([0n, 3n * HBAR])
    expect(await balance()).toBe(before - 4n * HBAR)
  },
)

it('only a successful payment with just the memo counts', async () => {
  const address = newAddress()
  const { memo = '' } = address.destination
  for (const text of [undefined, `${memo} `, ` ${memo}`, `0${memo}`, `${memo}0`, `${address.orderId} ${memo}`])
    await world.transfer(userId, account, HBAR, text === undefined ? {} : { memo: text })
  await world.transfer(userId, account, 10n ** 15n, { memo }).catch(() => '')
  await world.transfer(userId, world.treasury, HBAR, { memo })
  expect(await heldAt(address, NATIVE)).toBe(0n)
  await world.transfer(userId, account, HBAR, { memo })
  expect(await heldAt(address, NATIVE)).toBe(HBAR)
})

it('a second sweep is not signed while the first may land, and is once its window is over', async () => {
  const address = await paidAddress(NATIVE, 2n * HBAR)
  await paidAddress(NATIVE, 9n * HBAR)
  const payout = await sweepOf(address, NATIVE)
  expect(await sign(payout)).not.toBeNull()
  expect(await sign(payout)).toBeNull()
  expect(await adapter.simulate(payout)).toMatchObject({ ok: false, kind: 'transient' })
  await world.chain.advance(WINDOW_SECONDS * 2)
  expect(await adapter.simulate(payout)).toMatchObject({ ok: false, kind: 'transient' })
  await world.chain.wind((WINDOW_SECONDS + 10) * 1000)
  await world.chain.advance(2)
  // The clock of payments follows the newest block that the adapter knows.
  const height = BigInt(await world.chain.height())
  await expect.poll(async () => (await adapter.tip()).height).toBeGreaterThanOrEqual(height)
  expect(await sweep(address, NATIVE)).toMatchObject({ status: 'success', paid: 2n * HBAR })
})

it('a payment in the form of a sweep that another account makes is no deposit of its order', async () => {
  const { orderId, destination } = newAddress()
  const id = await world.transfer(userId, world.depositoryId, HBAR, { memo: `${orderId} ${destination.memo}` })
  const found = await adapter.findTransaction({ id })
  expect(found).toMatchObject({ status: 'success', depositOrderIds: [] })
})

it('a mirror node that invents a payment to a memo brings in nothing beside an honest one', async () => {
  const address = newAddress()
  const memo_base64 = Buffer.from(address.destination.memo ?? '').toString('base64')
  const id = await world.transfer(userId, account, 5n * HBAR)
  const [, start = ''] = id.split('@')
  const isIt = ({ transaction_id }: Listed) => String(transaction_id).endsWith(`-${start.replace('.', '-')}`)
  const liar = await startRewritingMirror(world.endpoint.http, (listed) =>
    isIt(listed) ? { ...listed, memo_base64 } : listed,
  )
  const dishonest: RpcEndpoint = { http: liar.http, provider: 'dishonest' }
  const [alone, both] = [[dishonest], [dishonest, world.endpoint]].map((rpc) =>
    world.adapterOver({ depositAccount: deposits.address }, rpc),
  )
  if (alone === undefined || both === undefined) throw new Error('There are no two adapters.')
  try {
    for (const started of [alone, both]) await started.start(new AbortController().signal)
    expect(await heldAt(address, NATIVE, alone)).toBe(5n * HBAR)
    expect(await heldAt(address, NATIVE, both)).toBe(0n)
    const sweeping = await sweepOf(address, NATIVE)
    const payout = { ...sweeping, money: { currency: NATIVE, amount: 5n * HBAR } }
    expect(await alone.simulate(payout)).toMatchObject({ ok: true })
    expect(await both.simulate(payout)).toMatchObject({ ok: false })
  } finally {
    await Promise.all([alone.stop(), both.stop()])
    await liar.close()
  }
})

it('an account that does not exist yet holds up no deposit', async () => {
  const other = world.adapterOver({ depositAccount: newKey().address })
  await other.start(new AbortController().signal)
  try {
    const address = {
      ...newAddress(),
      ...addresses(other).derive({ orderId: bytesToHex(randomBytes(32)), depositor: userId }),
    }
    expect(await heldAt(address, NATIVE, other)).toBe(0n)
  } finally {
    await other.stop()
  }
})

it('doctor finds an account that is missing or has another key', async () => {
  const wrong = newKey()
  await world.open({ ...newKey(), address: wrong.address })
  for (const [depositAccount, message] of [
    [newKey().address, 'does not exist yet'],
    [wrong.address, 'has another key'],
  ] as const) {
    const asked = world.adapterOver({ depositAccount })
    await asked.start(new AbortController().signal)
    const found = await asked.diagnose({ timeoutMs: 2000, allocator: world.vault.address }).finally(() => asked.stop())
    const faults = found.filter(({ state, subject }) => state === 'fault' && subject.includes('deposit addresses'))
    expect(faults.map((fault) => fault.message)).toContainEqual(expect.stringContaining(message))
  }
})
