import { randomBytes } from 'node:crypto'
import { depositoryAbi, fickleTokenAbi, testTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { Payout, PreparedAttempt, SignedAttempt, Signer } from '@causeway/core/chain'
import { encodeFunctionData, getAddress, parseTransaction } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { privateKeySigner } from '../testing/localSigner.js'
import { type FaultProxy, startFaultProxy } from '../testing/node/faultProxy.js'
import type { LocalAccount } from '../testing/node/localChain.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'
import { nonceOf } from './laneReader.js'
import { prepareAll } from './prepareAll.test.support.js'

const PLAIN = `0x${'12'.repeat(20)}`

let deployment: TestDeployment
let adapter: EvmAdapter
let proxy: FaultProxy
let solver: LocalAccount
let signer: Signer
let allocator: Signer
let nextOrder = 1
const calls: string[] = []

beforeAll(async () => {
  deployment = await startTestDeployment(31_105)
  proxy = await startFaultProxy(deployment.chain.rpcUrl)
  const rpc = [{ http: proxy.url, ws: deployment.chain.wsUrl }]
  adapter = deployment.adapter({
    rpc,
    options: { rpcTimeoutMs: 2000 },
    hooks: { onRpcCall: (name) => calls.push(name) },
  })
  await adapter.start(new AbortController().signal)
  solver = deployment.chain.accounts[1] as LocalAccount
  signer = privateKeySigner(solver.privateKey)
  allocator = privateKeySigner((deployment.chain.accounts[2] as LocalAccount).privateKey)
})

afterEach(async () => {
  proxy.clear()
  await deployment.chain.setAutomine(true)
  await deployment.chain.mine(1)
})

afterAll(async () => {
  await adapter.stop()
  await proxy.close()
  await deployment.chain.close()
})

const newOrderId = (): Hex => `0x${'e0'.repeat(16)}${(nextOrder++).toString(16).padStart(32, '0')}`

const newAccount = (): Hex => `0x${randomBytes(20).toString('hex')}`

const payout = (currency: string, amount = 1_000n, extra: Partial<Payout> = {}): Payout => ({
  purpose: 'fill',
  orderId: newOrderId(),
  from: solver.address,
  to: { address: PLAIN },
  money: { currency, amount },
  calls: [],
  ...extra,
})

const position = async () => (await adapter.lane.read(solver.address, null)).position

const signed = async (...payouts: Payout[]): Promise<SignedAttempt[]> => {
  const items = payouts.map((item) => ({ payout: item, gas: null }))
  const { prepared } = await prepareAll(adapter.lane, items, await position())
  return Promise.all(prepared.map((item) => adapter.lane.sign(item, signer)))
}

const stateOf = async ({ txId }: SignedAttempt, paid: Payout) =>
  (await adapter.lane.states([{ txId, payout: paid }]))[0]

const landed = async (attempt: SignedAttempt, paid: Payout) => {
  await expect.poll(async () => (await stateOf(attempt, paid))?.status).toBe('success')
  return stateOf(attempt, paid)
}

const first = <Item>(items: readonly Item[]): Item => {
  const [item] = items
  if (item === undefined) throw new Error('Expected an item')
  return item
}

test('consecutive nonces, one batch, and the amount that arrived', async () => {
  const payouts = [payout(ZERO_ADDRESS, 5n), payout(deployment.token, 6n), payout(ZERO_ADDRESS, 7n)]
  const attempts = await signed(...payouts)
  const start = nonceOf(await position())
  expect(attempts.map(({ guards }) => guards)).toEqual([0, 1, 2].map((at) => [`nonce:${solver.address}:${start + at}`]))
  const requests = proxy.requests('eth_sendRawTransaction')
  // Given out of order: they must still go out in nonce order, and results come as given.
  const results = await adapter.lane.broadcast([...attempts].reverse())
  expect(proxy.requests('eth_sendRawTransaction') - requests).toBe(1)
  expect(results).toEqual([{ outcome: 'known' }, { outcome: 'known' }, { outcome: 'known' }])
  for (const [at, attempt] of attempts.entries()) {
    const state = await landed(attempt, payouts[at] as Payout)
    expect(state?.paid).toBe(BigInt(5 + at))
    expect(state?.confirmations).toBeGreaterThanOrEqual(1)
    expect(state?.fee).toBeGreaterThan(0n)
    expect(state?.fee).toBeLessThanOrEqual(attempt.feeCap)
    expect(state?.txData?.data.endsWith((payouts[at] as Payout).orderId.slice(2))).toBe(true)
  }
})

test('a fill costs one estimate, one broadcast and one receipt', async () => {
  const given = payout(deployment.token, 9n)
  const at = await position()
  await adapter.simulate(given)
  await adapter.tip()
  calls.length = 0
  const simulation = await adapter.simulate(given)
  const { prepared } = await prepareAll(
    adapter.lane,
    [{ payout: given, gas: simulation.ok ? simulation.gas : null }],
    at,
  )
  const attempt = await adapter.lane.sign(first(prepared), signer)
  const head = new Promise<void>((resolve) => adapter.onHead(() => resolve(), AbortSignal.timeout(10_000)))
  await adapter.lane.broadcast([attempt])
  await head
  const state = await stateOf(attempt, given)
  expect(state).toMatchObject({ status: 'success', paid: 9n })
  const perFill = calls.filter((name) => !['eth_getBlockByNumber', 'eth_maxPriorityFeePerGas'].includes(name))
  expect(perFill).toEqual(['eth_estimateGas', 'eth_sendRawTransaction', 'eth_getTransactionReceipt'])
})

test('preparation is deterministic JSON that signs to the same bytes', async () => {
  const given = payout(ZERO_ADDRESS)
  const at = await position()
  const { prepared, position: next } = await prepareAll(adapter.lane, [{ payout: given, gas: 30_000n }], at)
  expect(next).toEqual({ nonce: nonceOf(at) + 1 })
  const stored = JSON.parse(JSON.stringify(first(prepared).transaction))
  const one = await adapter.lane.sign(first(prepared), signer)
  const two = await adapter.lane.sign({ ...first(prepared), transaction: stored }, signer)
  expect(two.raw).toBe(one.raw)
  expect(two.txId).toBe(one.txId)
})

test('F113: a signature of another key or digest is refused before anything is sent', async () => {
  const { prepared } = await prepareAll(adapter.lane, [{ payout: payout(ZERO_ADDRESS), gas: null }], await position())
  const wrongDigest: Signer = { ...signer, sign: (digest) => signer.sign(digest.map((byte) => byte ^ 1)) }
  await expect(adapter.lane.sign(first(prepared), wrongDigest)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(adapter.lane.sign(first(prepared), allocator)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('F54: an error after the node accepted is unknown, and sending again is known', async () => {
  await deployment.chain.setAutomine(false)
  const given = payout(ZERO_ADDRESS)
  const attempts = await signed(given)
  proxy.failNext('eth_sendRawTransaction', { code: -32603, message: 'internal error' }, { afterForward: true })
  expect(first(await adapter.lane.broadcast(attempts)).outcome).toBe('unknown')
  expect((await stateOf(first(attempts), given))?.status).toBe('pending')
  expect(await adapter.lane.broadcast(attempts)).toEqual([{ outcome: 'known' }])
  await deployment.chain.mine(1)
  await landed(first(attempts), given)
})

test('F54: a lost answer makes a later refusal doubtful', async () => {
  const attempts = await signed(payout(ZERO_ADDRESS))
  proxy.add('eth_sendRawTransaction', { drop: true, forwardBeforeDrop: true, times: 1 })
  // Mined at once, so the second try meets "nonce too low"; that must not count as a refusal.
  expect(first(await adapter.lane.broadcast(attempts)).outcome).not.toBe('rejected')
})

test('F53: a spent nonce is rejected as such', async () => {
  const [one] = await signed(payout(ZERO_ADDRESS))
  const [two] = await signed(payout(ZERO_ADDRESS, 2n))
  if (one === undefined || two === undefined) throw new Error('Expected attempts')
  await adapter.lane.broadcast([one])
  await expect.poll(async () => (await stateOf(one, payout(ZERO_ADDRESS)))?.status).toBe('success')
  expect(first(await adapter.lane.broadcast([two]))).toMatchObject({ outcome: 'rejected', reason: 'nonce-too-low' })
})

test('a replacement keeps nonce and guards, is accepted, and wins', async () => {
  await deployment.chain.setAutomine(false)
  const given = payout(ZERO_ADDRESS)
  const old = first(await signed(given))
  await adapter.lane.broadcast([old])
  const prepared = await adapter.lane.replace(old)
  if (prepared === null) throw new Error('Expected a replacement')
  expect(prepared.guards).toEqual(old.guards)
  const fees = [old, prepared].map(
    ({ transaction }) => transaction as { maxFeePerGas: string; maxPriorityFeePerGas: string },
  )
  for (const name of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
    const [before, after] = fees.map((fee) => BigInt(fee[name]))
    expect((after ?? 0n) * 100n).toBeGreaterThanOrEqual((before ?? 0n) * 112n)
  }
  const next = await adapter.lane.sign(prepared, signer)
  expect(await adapter.lane.broadcast([next])).toEqual([{ outcome: 'known' }])
  await deployment.chain.mine(1)
  await landed(next, given)
  expect((await stateOf(old, given))?.status).toBe('missing')
})

test('a legacy chain gets transactions with a gas price', async () => {
  const legacy = deployment.adapter({ options: { feeMode: 'legacy' } })
  const given = payout(ZERO_ADDRESS, 4n)
  const { prepared } = await prepareAll(legacy.lane, [{ payout: given, gas: null }], await position())
  const attempt = await legacy.lane.sign(first(prepared), signer)
  expect(attempt.raw.startsWith('0xf8')).toBe(true)
  await legacy.lane.broadcast([attempt])
  expect((await landed(attempt, given))?.paid).toBe(4n)
  expect((await legacy.lane.replace(first(prepared)))?.guards).toEqual(attempt.guards)
  await legacy.stop()
})

test('at the fee cap there is no replacement, but a cancellation', async () => {
  const capped = deployment.adapter({ options: { maxFeePerGasCap: '3000000000' } })
  const { prepared } = await prepareAll(capped.lane, [{ payout: payout(ZERO_ADDRESS), gas: null }], await position())
  const dear = {
    ...first(prepared),
    transaction: { ...(first(prepared).transaction as object), maxFeePerGas: '3000000000' },
  }
  expect(await capped.lane.replace(dear)).toBeNull()
  expect((await capped.lane.cancel(dear))?.kind).toBe('cancel')
  await capped.stop()
})

test('payoutVerdict: a cancelled payout is dead only once the cancellation is final', async () => {
  await deployment.chain.setAutomine(false)
  const given = payout(ZERO_ADDRESS)
  const old = first(await signed(given))
  await adapter.lane.broadcast([old])
  expect(await adapter.lane.payoutVerdict(old.guards, [old.txId])).toBe('alive')
  const cancelled = await adapter.lane.cancel(old)
  if (cancelled === null) throw new Error('Expected a cancellation')
  const cancellation = await adapter.lane.sign(cancelled, signer)
  await adapter.lane.broadcast([cancellation])
  await deployment.chain.mine(1)
  expect(await adapter.lane.payoutVerdict(old.guards, [old.txId])).toBe('alive')
  await deployment.chain.mine(3)
  expect(await adapter.lane.payoutVerdict(old.guards, [old.txId])).toBe('dead')
  expect(await adapter.lane.payoutVerdict(old.guards, [old.txId, cancellation.txId])).toBe('landed')
})

test('a pending payment whose bytes nobody has is cancelled by its nonce, at a fee that takes its place', async () => {
  await deployment.chain.setAutomine(false)
  const found = first(await signed(payout(ZERO_ADDRESS)))
  await adapter.lane.broadcast([found])
  const cancelled = await adapter.lane.cancelFound?.({ txId: found.txId, guards: found.guards })
  if (cancelled === null || cancelled === undefined) throw new Error('Expected a cancellation')
  expect(cancelled).toMatchObject({ kind: 'cancel', guards: found.guards })
  const cancellation = await adapter.lane.sign(cancelled, signer)
  expect(await adapter.lane.broadcast([cancellation])).toEqual([{ outcome: 'known' }])
  await deployment.chain.mine(4)
  expect(await adapter.lane.payoutVerdict(found.guards, [found.txId])).toBe('dead')
})

test('payoutVerdict: a success is landed, a revert is dead at finality', async () => {
  const paid = first(await signed(payout(ZERO_ADDRESS)))
  await adapter.lane.broadcast([paid])
  await expect.poll(() => adapter.lane.payoutVerdict(paid.guards, [paid.txId])).toBe('landed')
  const failing = payout(deployment.token, 10n ** 30n)
  const reverted = first(await signed(failing))
  await adapter.lane.broadcast([reverted])
  await expect.poll(async () => (await stateOf(reverted, failing))?.status).toBe('reverted')
  expect(await stateOf(reverted, failing)).toMatchObject({ paid: 0n, revert: 'balance too low' })
  expect(await adapter.lane.payoutVerdict(reverted.guards, [reverted.txId])).toBe('alive')
  await deployment.chain.mine(4)
  expect(await adapter.lane.payoutVerdict(reverted.guards, [reverted.txId])).toBe('dead')
})

test('payoutVerdict waits for age as well as depth', async () => {
  const slow = deployment.adapter({ confirmations: { settle: 1, settleSeconds: 1_000 } })
  const failing = payout(deployment.token, 10n ** 30n)
  const reverted = first(await signed(failing))
  await adapter.lane.broadcast([reverted])
  await deployment.chain.mine(5)
  expect(await slow.lane.payoutVerdict(reverted.guards, [reverted.txId])).toBe('alive')
  await deployment.chain.rpc('evm_increaseTime', [2_000])
  await deployment.chain.mine(2)
  expect(await slow.lane.payoutVerdict(reverted.guards, [reverted.txId])).toBe('dead')
  await slow.stop()
})

test('F161: a payout whose receipt its only node lacks is not dead', async () => {
  const one = deployment.adapter({ rpc: [{ http: proxy.url }] })
  const paid = first(await signed(payout(ZERO_ADDRESS, 1n)))
  await adapter.lane.broadcast([paid])
  await deployment.chain.mine(5)
  proxy.add('eth_getTransactionReceipt', { rewrite: () => null })
  await expect(one.lane.payoutVerdict(paid.guards, [paid.txId])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  proxy.clear()
  expect(await one.lane.payoutVerdict(paid.guards, [paid.txId])).toBe('landed')
  await one.stop()
})

test('invariant 3: with two providers a generation is dead only when both say so', async () => {
  const two = deployment.adapter({
    rpc: [
      { http: deployment.chain.rpcUrl, provider: 'honest' },
      { http: proxy.url, provider: 'other' },
    ],
  })
  const failing = payout(deployment.token, 10n ** 30n)
  const reverted = first(await signed(failing))
  await adapter.lane.broadcast([reverted])
  await deployment.chain.mine(5)
  expect(await two.lane.payoutVerdict(reverted.guards, [reverted.txId])).toBe('dead')
  await expect(two.lane.payoutVerdict(reverted.guards, [reverted.txId], { agreeing: 3 })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
  proxy.add('eth_getTransactionCount', { rewrite: () => '0x0' })
  expect(await two.lane.payoutVerdict(reverted.guards, [reverted.txId])).toBe('alive')
  proxy.clear()
  proxy.add('eth_getTransactionCount', { drop: true })
  await expect(two.lane.payoutVerdict(reverted.guards, [reverted.txId])).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
  await two.stop()
})

test('a lane whose chain is ahead finds the unknown transactions by order id', async () => {
  const stored = await position()
  const { height } = await adapter.tip()
  const payouts = [payout(ZERO_ADDRESS, 5n), payout(deployment.token, 6n, { purpose: 'excess' })]
  const attempts = await signed(...payouts)
  await adapter.lane.broadcast(attempts)
  await deployment.chain.mine(30)
  const reading = await adapter.lane.read(solver.address, { position: stored, sinceHeight: height })
  expect(reading).toMatchObject({ complete: true, position: { nonce: nonceOf(stored) + 2 } })
  const seen = reading.unknown.map(({ tx, orderId, money, purpose, status }) => ({
    id: tx.id,
    orderId,
    money,
    purpose,
    status,
  }))
  expect(seen).toEqual([
    { id: attempts[0]?.txId, orderId: payouts[0]?.orderId, money: payouts[0]?.money, purpose: null, status: 'success' },
    {
      id: attempts[1]?.txId,
      orderId: payouts[1]?.orderId,
      money: payouts[1]?.money,
      purpose: 'excess',
      status: 'success',
    },
  ])
  const agreed = await adapter.lane.read(solver.address, { position: reading.position, sinceHeight: height })
  expect(agreed).toEqual({ position: reading.position, unknown: [], complete: true })
  const tooLate = await adapter.lane.read(solver.address, { position: stored, sinceHeight: height + 20n })
  expect(tooLate.complete).toBe(false)
})

test('F121: the highest nonce and every transaction that some provider shows count, one in the pool included', async () => {
  const two = deployment.adapter({
    rpc: [
      { http: proxy.url, provider: 'behind' },
      { http: deployment.chain.rpcUrl, provider: 'current' },
    ],
  })
  const stored = { position: await position(), sinceHeight: (await adapter.tip()).height }
  const sent = [payout(ZERO_ADDRESS, 5n), payout(ZERO_ADDRESS, 6n)]
  const attempts = await signed(...sent)
  await adapter.lane.broadcast(attempts.slice(0, 1))
  await landed(first(attempts), first(sent))
  await deployment.chain.setAutomine(false)
  await adapter.lane.broadcast(attempts.slice(1))
  // This one still answers as before both.
  proxy.add('eth_getTransactionCount', { rewrite: () => `0x${nonceOf(stored.position).toString(16)}` })
  const reading = await two.lane.read(solver.address, stored)
  expect(reading).toMatchObject({ complete: true, position: { nonce: nonceOf(stored.position) + 2 } })
  expect(reading.unknown.map(({ tx, status }) => [tx.id, status])).toEqual([
    [attempts[0]?.txId, 'success'],
    [attempts[1]?.txId, 'pending'],
  ])
  proxy.clear()
  proxy.add('eth_getTransactionCount', { drop: true })
  await expect(two.lane.read(solver.address, stored)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await two.stop()
})

test('F121: read again from a spent guard on, what lies behind the position comes back, whatever its block', async () => {
  const [first, second] = [payout(ZERO_ADDRESS, 5n), payout(deployment.token, 6n)]
  const attempts = await signed(first, second)
  await adapter.lane.broadcast(attempts)
  await deployment.chain.mine(30)
  const stored = { position: await position(), sinceHeight: (await adapter.tip()).height }
  expect((await adapter.lane.read(solver.address, stored)).unknown).toEqual([])
  const reading = await adapter.lane.readAgain(solver.address, stored, attempts[0]?.guards ?? [])
  expect(reading).toMatchObject({ complete: true, position: stored.position })
  expect(reading.unknown.map(({ tx, orderId }) => [tx.id, orderId])).toEqual([
    [attempts[0]?.txId, first.orderId],
    [attempts[1]?.txId, second.orderId],
  ])
})

test('a payment that leaves the pool for a block while the lane is read is found there', async () => {
  const one = deployment.adapter({ rpc: [{ http: proxy.url, provider: 'one' }] })
  const stored = { position: await position(), sinceHeight: (await adapter.tip()).height }
  await deployment.chain.setAutomine(false)
  const attempt = first(await signed(payout(ZERO_ADDRESS)))
  await adapter.lane.broadcast([attempt])
  proxy.add('eth_getBlockByNumber', {
    when: ([block]) => block === 'pending',
    times: 1,
    rewrite: async (block) => {
      await deployment.chain.mine(1)
      return { ...Object(block), transactions: [] }
    },
  })
  const reading = await one.lane.read(solver.address, stored)
  expect(reading).toMatchObject({ complete: true, unknown: [{ tx: { id: attempt.txId }, status: 'success' }] })
  proxy.clear()
  await deployment.chain.setAutomine(true)
  await one.stop()
})

test('a pending transaction of a strange process is unknown at first use', async () => {
  await deployment.chain.setAutomine(false)
  const strange = first(await signed(payout(ZERO_ADDRESS)))
  await adapter.lane.broadcast([strange])
  const reading = await adapter.lane.read(solver.address, null)
  expect(reading.complete).toBe(true)
  expect(reading.unknown).toMatchObject([{ tx: { id: strange.txId }, status: 'pending' }])
})

test('F158: a key that has sent more than allowances is told from a fresh one', async () => {
  const { chain, token, fillRouter } = deployment
  const privateKey = `0x${randomBytes(32).toString('hex')}` as const
  const account = { privateKey, address: privateKeyToAddress(privateKey) }
  await chain.fund(account.address, 10n ** 18n)
  const currency = { address: token, symbol: 'TUSD', name: 'Test Dollar', decimals: 6, groupId: 'usd' }
  const { lane } = deployment.adapter({ currencies: [currency] })
  const hasSent = () => lane.hasSent?.(account.address)
  expect(await hasSent()).toBe(false)
  const allow = { abi: testTokenAbi, functionName: 'approve', args: [getAddress(fillRouter), 2n ** 256n - 1n] } as const
  await chain.send(account, { to: token, data: encodeFunctionData(allow) })
  await chain.mine(1)
  expect(await hasSent()).toBe(false)
  await chain.send(account, { to: PLAIN, value: 1n })
  await chain.mine(1)
  expect(await hasSent()).toBe(true)
})

test('a payout through the router reports what the recipient got', async () => {
  const mint = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [getAddress(PLAIN), 5n] })
  const given = payout(ZERO_ADDRESS, 3n, { calls: [{ to: deployment.token, data: mint, value: 0n }] })
  const attempt = first(await signed(given))
  await adapter.lane.broadcast([attempt])
  expect((await landed(attempt, given))?.paid).toBe(3n)
})

test('calls with a token use the allowance of the solver, and leftovers go to the recipient', async () => {
  const allow = { abi: testTokenAbi, functionName: 'approve', args: [getAddress(deployment.fillRouter), 100n] } as const
  await deployment.chain.send(solver, { to: deployment.token, data: encodeFunctionData(allow) })
  const other = `0x${'34'.repeat(20)}`
  const move = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [getAddress(other), 60n] })
  const given = payout(deployment.token, 100n, { calls: [{ to: deployment.token, data: move, value: 0n }] })
  const [before] = (await adapter.getBalances([{ address: PLAIN, currency: deployment.token }])).amounts
  expect((await adapter.simulate(given)).ok).toBe(true)
  const attempt = first(await signed(given))
  await adapter.lane.broadcast([attempt])
  expect((await landed(attempt, given))?.paid).toBe(100n)
  const held = [PLAIN, other].map((address) => ({ address, currency: deployment.token }))
  expect((await adapter.getBalances(held)).amounts).toEqual([(before ?? 0n) + 40n, 60n])
})

test('chains.md, Depository contract: the allocator releases money once, and the request is a guard', async () => {
  const user = deployment.chain.accounts[0] as LocalAccount
  const id = newOrderId()
  const deposit = encodeFunctionData({
    abi: depositoryAbi,
    functionName: 'depositNative',
    args: [getAddress(user.address), id],
  })
  await deployment.chain.send(user, { to: deployment.depository, value: 500n, data: deposit })
  await deployment.chain.fund(deployment.depository, 700n, deployment.token)
  for (const money of [
    { currency: ZERO_ADDRESS, amount: 500n },
    { currency: deployment.token, amount: 700n },
  ]) {
    const { time } = await adapter.tip()
    const nonce = newOrderId()
    const request = { to: solver.address, money, nonce, expiration: time + 600, orderId: id }
    const authorization = await adapter.lane.authorizeWithdrawal(request, allocator)
    const given = payout(money.currency, money.amount, {
      purpose: 'withdraw',
      orderId: id,
      to: { address: solver.address },
      authorization,
    })
    const simulation = await adapter.simulate(given)
    expect(simulation.ok).toBe(true)
    const attempt = first(await signed(given))
    expect(attempt.guards[1]).toMatch(/^request:0x[0-9a-f]{64}:[0-9]+$/)
    expect(await adapter.lane.payoutVerdict([`nonce:${solver.address}:0`, ...attempt.guards.slice(1)], [])).toBe(
      'alive',
    )
    await adapter.lane.broadcast([attempt])
    expect((await landed(attempt, given))?.paid).toBe(money.amount)
    // Whoever submitted it: the request ran, so no other generation may follow.
    expect(await adapter.lane.payoutVerdict(attempt.guards, [])).toBe('landed')
    const again = await adapter.simulate(given)
    expect(again).toMatchObject({ ok: false, kind: 'revert' })
    expect(!again.ok && again.message).toContain('CallRequestAlreadyUsed')
  }
})

describe('F166: gas and tips that a chain takes at least', () => {
  const GAS = 100_000n
  const TIP = 25_000_000_000n
  let own: EvmAdapter

  beforeEach(() => {
    own = deployment.adapter({ rpc: [{ http: proxy.url }] })
  })

  afterEach(() => own.stop())

  const sentBy = (params: readonly unknown[]) => parseTransaction(params[0] as Hex)

  /** Transfers of nothing to the own account need more gas, as where the data of a transaction counts. */
  const asksMoreGas = (message = 'intrinsic gas too low') =>
    proxy.add('eth_sendRawTransaction', {
      when: (params) => (sentBy(params).gas ?? 0n) < GAS,
      error: { code: -32000, message },
    })

  const estimates = (gas: bigint) => proxy.add('eth_estimateGas', { result: () => `0x${gas.toString(16)}` })

  const pending = async (gas: bigint) => {
    await deployment.chain.setAutomine(false)
    const { prepared } = await prepareAll(own.lane, [{ payout: payout(ZERO_ADDRESS), gas }], await position())
    const attempt = await own.lane.sign(first(prepared), signer)
    expect(await own.lane.broadcast([attempt])).toEqual([{ outcome: 'known' }])
    return attempt
  }

  const sent = async (prepared: PreparedAttempt | null) => {
    if (prepared === null) throw new Error('Expected a transaction')
    const attempt = await own.lane.sign(prepared, signer)
    return {
      attempt,
      gas: BigInt(String(Reflect.get(Object(prepared.transaction), 'gas'))),
      result: first(await own.lane.broadcast([attempt])),
    }
  }

  test('a cancel has the gas that a node estimates, and a quarter more', async () => {
    const old = await pending(GAS)
    asksMoreGas()
    estimates(GAS)
    expect(await sent(await own.lane.cancel(old))).toMatchObject({ gas: 125_000n, result: { outcome: 'known' } })
    await deployment.chain.mine(1)
  })

  test('a cancel that no node estimates has the gas of what it replaces; so has one of a transaction that was found', async () => {
    const old = await pending(GAS)
    asksMoreGas()
    proxy.add('eth_estimateGas', { error: { code: -32601, message: 'the method is not available' } })
    const cancel = await sent(await own.lane.cancel(old))
    expect(cancel).toMatchObject({ gas: 125_000n, result: { outcome: 'known' } })
    const found = { txId: cancel.attempt.txId, guards: cancel.attempt.guards }
    expect(await sent(await own.lane.cancelFound(found))).toMatchObject({ gas: 125_000n, result: { outcome: 'known' } })
    await deployment.chain.mine(1)
  })

  test.each([
    [
      'the gas that the refusal names, and a quarter more',
      'intrinsic gas too low: have 26250, want 100000',
      [125_000n],
    ],
    ['twice as much, again and again, where it names none', 'intrinsic gas too low', [52_500n, 105_000n]],
  ])('a refused cancel gets %s', async (_, message, gas) => {
    const old = await pending(GAS)
    asksMoreGas(message)
    estimates(21_000n)
    let last = await sent(await own.lane.cancel(old))
    expect(last).toMatchObject({ gas: 26_250n, result: { outcome: 'rejected', reason: 'invalid' } })
    for (const more of gas) {
      last = await sent(await own.lane.replace(last.attempt))
      expect(last.gas).toBe(more)
    }
    expect(last.result).toEqual({ outcome: 'known' })
    await deployment.chain.mine(1)
    expect((await stateOf(last.attempt, payout(ZERO_ADDRESS)))?.status).toBe('success')
  })

  test('the next version of a payment that was refused for its gas has more, within the limit of all payments', async () => {
    asksMoreGas('intrinsic gas too low: gas 33000, minimum needed 100000')
    const [refused] = (await prepareAll(own.lane, [{ payout: payout(ZERO_ADDRESS), gas: null }], await position()))
      .prepared
    const old = await sent(refused ?? null)
    expect(old).toMatchObject({ gas: 33_000n, result: { outcome: 'rejected', reason: 'invalid' } })
    expect(await sent(await own.lane.replace(old.attempt))).toMatchObject({
      gas: 125_000n,
      result: { outcome: 'known' },
    })
    const lying = { code: -32000, message: 'intrinsic gas too low: have 1, want 900000000' }
    proxy.clear()
    proxy.add('eth_sendRawTransaction', { error: lying })
    await own.lane.broadcast([old.attempt])
    const next = await own.lane.replace(old.attempt)
    expect(next?.transaction).toMatchObject({ gas: '5000000' })
  })

  test('a tip that a refusal names is that of the next version and of payments that follow, within the cap', async () => {
    const asksTip = {
      when: (params: readonly unknown[]) => (sentBy(params).maxPriorityFeePerGas ?? 0n) < TIP,
      error: { code: -32000, message: `transaction underpriced: gas tip cap 1000000000, minimum needed ${TIP}` },
    }
    proxy.add('eth_sendRawTransaction', asksTip)
    const given = [{ payout: payout(ZERO_ADDRESS), gas: null }]
    const old = await sent(first((await prepareAll(own.lane, given, await position())).prepared))
    expect(old.result).toMatchObject({ outcome: 'rejected', reason: 'underpriced' })
    const raised = await own.lane.replace(old.attempt)
    expect(raised?.transaction).toMatchObject({ maxPriorityFeePerGas: `${TIP}` })
    expect((await sent(raised)).result).toEqual({ outcome: 'known' })
    const later = (await prepareAll(own.lane, given, await position())).prepared
    expect(first(later).transaction).toMatchObject({ maxPriorityFeePerGas: `${TIP}` })
    const capped = deployment.adapter({ rpc: [{ http: proxy.url }], options: { maxFeePerGasCap: '5000000000' } })
    await capped.lane.broadcast([old.attempt])
    const most = (await prepareAll(capped.lane, given, await position())).prepared
    expect(first(most).transaction).toMatchObject({ maxFeePerGas: '5000000000', maxPriorityFeePerGas: '5000000000' })
    await capped.stop()
  })

  test('a tip that a node names beyond all reason is offered up to a thousand gwei', async () => {
    const [attempt] = await signed(payout(ZERO_ADDRESS))
    const message = 'transaction underpriced: gas tip cap 1000000000, minimum needed 99999999999999999999'
    proxy.add('eth_sendRawTransaction', { error: { code: -32000, message } })
    await own.lane.broadcast([attempt as SignedAttempt])
    const { prepared } = await prepareAll(own.lane, [{ payout: payout(ZERO_ADDRESS), gas: null }], await position())
    const { maxPriorityFeePerGas } = Object(first(prepared).transaction)
    expect(BigInt(maxPriorityFeePerGas)).toBeLessThanOrEqual(2_000_000_000_000n)
  })

  test.each(['eip1559', 'legacy'] as const)(
    'minPriorityFee is the least offered, and counts in quotes (%s)',
    async (feeMode) => {
      const least = deployment.adapter({ options: { feeMode, minPriorityFee: `${TIP}` } })
      const given = payout(ZERO_ADDRESS)
      const { prepared } = await prepareAll(least.lane, [{ payout: given, gas: null }], await position())
      const { maxPriorityFeePerGas, maxFeePerGas } = Object(first(prepared).transaction)
      expect(BigInt(maxPriorityFeePerGas)).toBe(TIP)
      expect(BigInt(maxFeePerGas)).toBeGreaterThanOrEqual(TIP)
      expect((await least.estimatePayoutFee(given)).network.amount).toBeGreaterThanOrEqual(22_000n * TIP)
      await least.stop()
    },
  )
})

describe('what arrived, of tokens that change after the simulation (faults.md F123)', () => {
  const MOODS = { answersFalse: 1, lies: 2, takesFee: 4, movesSilently: 5 } as const
  let token: string

  beforeAll(async () => {
    token = await deployment.chain.deployToken({ name: 'Fickle', symbol: 'FCK', decimals: 6, kind: 'fickle' })
    await deployment.chain.fund(solver.address, 1_000_000n, token)
  })

  const payInMood = async (mood: number, given: Payout) => {
    const [attempt] = await signed(given)
    const args = [mood, ZERO_ADDRESS] as const
    const data = encodeFunctionData({ abi: fickleTokenAbi, functionName: 'setMood', args })
    await deployment.chain.send(deployment.chain.accounts[0] as LocalAccount, { to: token, data })
    await adapter.lane.broadcast([attempt as SignedAttempt])
    return { attempt: attempt as SignedAttempt, state: await landed(attempt as SignedAttempt, given) }
  }

  test.each(['answersFalse', 'lies'] as const)(
    'a success of a token that %s brought nothing, and is dead once it is final',
    async (mood) => {
      const given = payout(token, 1_000n, { to: { address: newAccount() } })
      const { attempt, state } = await payInMood(MOODS[mood], given)
      expect(state).toMatchObject({ status: 'success', paid: 0n })
      const judged = (options?: { agreeing: number; payout?: Payout }) =>
        adapter.lane.payoutVerdict(attempt.guards, [attempt.txId], options)
      expect(await judged({ agreeing: 1, payout: given })).toBe('alive')
      await deployment.chain.mine(4)
      expect(await judged({ agreeing: 1, payout: given })).toBe('dead')
      expect(await judged()).toBe('landed')
    },
  )

  test('nothing is dead on the reading of a node that hides the logs: the recipient has the money', async () => {
    const given = payout(deployment.token, 1_000n, { to: { address: newAccount() } })
    const [attempt] = await signed(given)
    proxy.add('eth_getTransactionReceipt', { rewrite: (answer) => ({ ...(answer as object), logs: [] }) })
    await adapter.lane.broadcast([attempt as SignedAttempt])
    expect(await landed(attempt as SignedAttempt, given)).toMatchObject({ status: 'success', paid: null })
    await deployment.chain.mine(4)
    const txIds = [(attempt as SignedAttempt).txId]
    const judged = () =>
      adapter.lane.payoutVerdict((attempt as SignedAttempt).guards, txIds, { agreeing: 1, payout: given })
    expect(await judged()).toBe('landed')
    // Nor while it cannot be asked what the recipient holds.
    proxy.add('eth_getLogs', { error: { code: -32000, message: 'history is pruned' } })
    await expect(judged()).rejects.toMatchObject({
      code: expect.stringMatching(/^(SERVICE_UNAVAILABLE|RPC_HTTP_ERROR)$/),
    })
    expect(await stateOf(attempt as SignedAttempt, given)).toMatchObject({ status: 'success', paid: 0n })
  })

  test('a part that arrived is told, and so is a token that moves without a log', async () => {
    const short = payout(token, 1_000n, { to: { address: newAccount() } })
    expect((await payInMood(MOODS.takesFee, short)).state).toMatchObject({ status: 'success', paid: 990n })
    const silent = payout(token, 1_000n, { to: { address: newAccount() } })
    const { attempt, state } = await payInMood(MOODS.movesSilently, silent)
    expect(state).toMatchObject({ status: 'success', paid: null })
    await deployment.chain.mine(4)
    const said = await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId], { agreeing: 1, payout: silent })
    expect(said).toBe('landed')
  })

  test('native currency through a contract that is configured no more is not called unpaid', async () => {
    const given = payout(ZERO_ADDRESS, 5n)
    const { token: elsewhere } = deployment
    const hash = await deployment.chain.send(solver, { to: PLAIN, value: 5n })
    const moved = { ...given, to: { address: elsewhere } }
    await expect.poll(async () => (await stateOf({ txId: hash } as SignedAttempt, moved))?.status).toBe('success')
    expect((await stateOf({ txId: hash } as SignedAttempt, moved))?.paid).toBeNull()
  })
})
