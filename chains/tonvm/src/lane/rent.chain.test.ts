import { randomBytes } from 'node:crypto'
import { bytesToHex, type Json } from '@causeway/core'
import { type DepositEvent, NOTHING_LIVE, type Payout, type Signer } from '@causeway/core/chain'
import { Address, comment } from '@ton/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TonAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { GIVER, internalMessage } from '../testing/engine/internalMessage.js'
import { payment, TON } from '../testing/testedTon.test.support.js'
import { newKey, openTonWorld, type TonWorld } from '../tonWorld.test.support.js'

const ARRIVAL = 6
const YEAR_MS = 365 * 86_400_000
const user = new Address(0, Buffer.alloc(32, 9))

let ton: TonWorld
let network: TonWorld['network']
let adapter: TonAdapter
let solver: Signer
let from: string

beforeAll(async () => {
  ton = await openTonWorld()
  ;({ network } = ton)
  const started = await ton.startSolver(1000n * TON, 0n)
  adapter = started.adapter
  ;({ signer: solver, address: from } = started.solver)
}, 120_000)

afterAll(() => ton?.close())

const orderId = () => bytesToHex(randomBytes(32))

const payout = (to: string, amount: bigint, more: Partial<Payout> = {}): Payout => ({
  ...{ purpose: 'fill', orderId: orderId(), from, calls: [] },
  ...{ to: { address: to }, money: { currency: NATIVE, amount }, ...more },
})

const pay = async (each: Payout) => {
  const { position } = await adapter.lane.read(from, null)
  const [prepared] = (await adapter.lane.prepare([{ payout: each, gas: null }], position)).prepared
  if (prepared == null) throw new Error('Nothing was prepared')
  const attempt = await adapter.lane.sign(prepared, solver, ton.vault.signer)
  expect(await adapter.lane.broadcast([attempt])).toEqual([{ outcome: 'known' }])
  await network.chain.advance(ARRIVAL)
  const { txId, locator } = attempt
  const [state] = await adapter.lane.states([{ txId, payout: each, ...(locator !== undefined && { locator }) }])
  return { ...state, verdict: await adapter.lane.payoutVerdict(attempt.guards, [txId], { agreeing: 1, payout: each }) }
}

const held = async (address: string) => (await adapter.getBalances([{ address, currency: NATIVE }])).amounts[0] ?? 0n

/** Deposits that the watcher shows from a cursor up to the newest block. */
const depositsSince = async (cursor: Json): Promise<readonly DepositEvent[]> => {
  const { height: tip } = await adapter.tip()
  const found: DepositEvent[] = []
  for await (const { deposits, height } of adapter.watch(cursor, NOTHING_LIVE, AbortSignal.timeout(20_000))) {
    found.push(...deposits)
    if (height >= tip) break
  }
  return found
}

const cursorNow = async (): Promise<Json> => {
  const height = BigInt(await network.chain.height())
  await expect.poll(async () => (await adapter.tip()).height).toBeGreaterThanOrEqual(height)
  return (await adapter.cursorAt?.(height)) ?? null
}

const headKnown = async (): Promise<void> => void (await cursorNow())

/** A wallet with code and as few nanotons as its first request left. */
const emptyWallet = async () => {
  const wallet = await network.wallet(TON)
  await wallet.submit([payment({ address: user }, TON - 6_000_000n, 'all')], { timeout: 2 ** 31 })
  await network.chain.advance(ARRIVAL)
  expect(await wallet.seqno()).toBe(1)
  return wallet.address.toRawString()
}

it('a payment that bounces is unpaid, and its return is no deposit of the depository that sent it', async () => {
  await network.chain.fund(ton.vault.address, 10n * TON)
  await network.chain.fund(ton.vault.address, 100n, ton.token)
  await network.chain.advance(ARRIVAL)
  const cursor = await cursorNow()
  const money = { currency: ton.token, amount: 500n }
  const state = await pay(payout(newKey().address, 500n, { purpose: 'withdraw', money }))
  expect(state).toMatchObject({ status: 'reverted', paid: 0n, verdict: 'dead' })
  const bounced = await network.client.getTransactions(Address.parseRaw(ton.vault.address), { limit: 10 })
  const returned = bounced.find(({ inMessage }) => inMessage?.info.type === 'internal' && inMessage.info.bounced)
  expect(returned).toBeDefined()
  await headKnown()
  expect(await depositsSince(cursor)).toEqual([])
  const id = returned?.hash().toString('hex') ?? ''
  expect(await adapter.findTransaction({ id })).toMatchObject({ depositOrderIds: [] })
})

it('a message that bounces off an account without code is no deposit, and a plain payment to the account is one', async () => {
  const other = newKey()
  const watching = await ton.startAdapter(from, { depository: other.address })
  const to = Address.parseRaw(other.address)
  const ids = [orderId(), orderId()]
  const messages = ids.map((id, at) => internalMessage(user, to, TON, { body: comment(id), bounce: at === 0 }))
  const height = BigInt(await network.chain.height())
  for (const message of messages) await network.chain.apply(message)
  await network.chain.advance(2)
  const found: (string | null)[] = []
  const cursor = (await watching.cursorAt?.(height)) ?? null
  for await (const { deposits } of watching.watch(cursor, NOTHING_LIVE, AbortSignal.timeout(20_000))) {
    found.push(...deposits.map((deposit) => deposit.orderId))
    if (found.length > 0) break
  }
  expect(found).toEqual(ids.slice(1))
  expect(await held(other.address)).toBeLessThanOrEqual(TON)
})

it('rent that an account owes is taken from a payment, which arrived all the same', async () => {
  const debtor = await emptyWallet()
  await network.chain.wind(8 * YEAR_MS)
  await network.chain.advance(2)
  await headKnown()
  expect(await adapter.recipientStatus({ address: debtor }, NATIVE)).toEqual({ canReceive: true })
  expect(await adapter.simulate(payout(debtor, TON))).toMatchObject({ ok: true })
  expect(await pay(payout(debtor, TON))).toMatchObject({ status: 'success', paid: TON, verdict: 'landed' })
  expect(await held(debtor)).toBeLessThan(TON - 10_000_000n)
  const cursor = await cursorNow()
  const id = orderId()
  const before = await held(ton.vault.address)
  await network.chain.apply(internalMessage(user, Address.parseRaw(ton.vault.address), TON, { body: comment(id) }))
  await network.chain.advance(2)
  await headKnown()
  expect(await depositsSince(cursor)).toMatchObject([{ orderId: id, money: { amount: TON } }])
  // The rent of eight years is the operator's cost.
  expect(await held(ton.vault.address)).toBeLessThan(before + TON - 10_000_000n)
})

it('a frozen account is refused as a recipient', async () => {
  const frozen = await emptyWallet()
  await network.chain.wind(20 * YEAR_MS)
  await network.chain.apply(internalMessage(GIVER, Address.parseRaw(frozen), 1n))
  await network.chain.advance(2)
  await headKnown()
  expect((await network.client.getContractState(Address.parseRaw(frozen))).state).toBe('frozen')
  const refusal = expect.stringContaining('frozen')
  expect(await adapter.recipientStatus({ address: frozen }, NATIVE)).toEqual({ canReceive: false, why: refusal })
  expect(await adapter.simulate(payout(frozen, TON))).toMatchObject({
    ...{ ok: false, kind: 'recipient-cannot-receive', message: refusal },
  })
  // Sent all the same, the TON stays with the account, whose owner can restore it.
  expect(await pay(payout(frozen, TON))).toMatchObject({ status: 'success', paid: TON })
})
