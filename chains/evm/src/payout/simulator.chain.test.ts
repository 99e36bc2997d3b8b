import {
  blockingTokenAbi,
  falseTokenAbi,
  revertingRecipientAbi,
  revertingRecipientBytecode,
  testTokenAbi,
} from '@causeway/contracts-abi'
import type { Payout, Simulation } from '@causeway/core/chain'
import { encodeFunctionData, getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { type FaultProxy, startFaultProxy } from '../testing/node/faultProxy.js'
import type { LocalAccount } from '../testing/node/localChain.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'

const ORDER_ID = `0x${'cd'.repeat(32)}` as const
const PLAIN = `0x${'12'.repeat(20)}`
const MODE = { accept: 0, refuse: 1, refuseAtLength: 2, burnGas: 3, answerAtLength: 4 } as const

let deployment: TestDeployment
let adapter: EvmAdapter
let proxy: FaultProxy
let solver: LocalAccount
const calls: string[] = []

beforeAll(async () => {
  deployment = await startTestDeployment(31_104)
  proxy = await startFaultProxy(deployment.chain.rpcUrl)
  const rpc = [{ http: proxy.url, ws: deployment.chain.wsUrl }]
  adapter = deployment.adapter({
    rpc,
    options: { rpcTimeoutMs: 1000 },
    hooks: { onRpcCall: (name) => calls.push(name) },
  })
  await adapter.start(new AbortController().signal)
  solver = deployment.chain.accounts[1] as LocalAccount
})

afterAll(async () => {
  await adapter.stop()
  await proxy.close()
  await deployment.chain.close()
})

const payout = (to: string, currency: string, amount = 1_000n, extra: Partial<Payout> = {}): Payout => ({
  purpose: 'fill',
  orderId: ORDER_ID,
  from: solver.address,
  to: { address: to },
  money: { currency, amount },
  calls: [],
  ...extra,
})

/** Calls that are not made once per block anyway. */
const ownCalls = () => calls.filter((name) => !['eth_getBlockByNumber', 'eth_maxPriorityFeePerGas'].includes(name))

const failure = (simulation: Simulation) => {
  if (simulation.ok) throw new Error('Expected a failure')
  return simulation
}

const recipient = async (mode: number, length = 0n): Promise<string> => {
  const address = await deployment.chain.deploy(revertingRecipientAbi, revertingRecipientBytecode)
  const data = encodeFunctionData({ abi: revertingRecipientAbi, functionName: 'setMode', args: [mode, length] })
  await deployment.chain.send(solver, { to: address, data })
  return address
}

test('a native payout is one eth_estimateGas', async () => {
  calls.length = 0
  const result = await adapter.simulate(payout(PLAIN, ZERO_ADDRESS))
  expect(result).toMatchObject({ ok: true })
  expect(result.ok && result.gas).toBeGreaterThan(21_000n)
  expect(ownCalls()).toEqual(['eth_estimateGas', 'eth_getCode'])
  // Somebody without code takes any amount alike.
  expect(result).toMatchObject({ leastAmount: 0n })
})

test('F64: the answer of a token is looked at once per recipient, later payouts only estimate', async () => {
  calls.length = 0
  expect((await adapter.simulate(payout(PLAIN, deployment.token))).ok).toBe(true)
  // Its answer, that an impossible transfer reverts, and that all of one arrives.
  expect(ownCalls()).toEqual(['eth_estimateGas', 'eth_call', 'eth_call', 'eth_call'])
  calls.length = 0
  expect((await adapter.simulate(payout(PLAIN, deployment.token))).ok).toBe(true)
  expect(ownCalls()).toEqual(['eth_estimateGas'])
})

test('F64: a token that returns nothing is paid', async () => {
  const token = await deployment.chain.deployToken({ name: 'Silent', symbol: 'T', decimals: 6, kind: 'no-return' })
  await deployment.chain.fund(solver.address, 10n ** 9n, token)
  expect(await adapter.simulate(payout(PLAIN, token))).toMatchObject({ ok: true })
})

test('F64: a token that answers false is asked each time, and false is a failure', async () => {
  const token = await deployment.chain.deployToken({ name: 'F', symbol: 'F', decimals: 6, kind: 'false' })
  await deployment.chain.fund(solver.address, 10n ** 9n, token)
  expect((await adapter.simulate(payout(PLAIN, token))).ok).toBe(true)
  const data = encodeFunctionData({ abi: falseTokenAbi, functionName: 'setRefusing', args: [true] })
  await deployment.chain.send(solver, { to: token, data })
  const refused = failure(await adapter.simulate(payout(PLAIN, token)))
  expect(refused).toMatchObject({ kind: 'revert', message: 'The token refuses the transfer: it answered false' })
  expect(failure(await adapter.simulate(payout(PLAIN, token, 10n ** 20n))).kind).toBe('insufficient-funds')
})

test('F64: what is no contract is no token', async () => {
  const nothing = `0x${'77'.repeat(20)}`
  expect(failure(await adapter.simulate(payout(PLAIN, nothing))).message).toContain('no contract')
})

test('F60: a blocklisted recipient is named in plain words', async () => {
  const token = await deployment.chain.deployToken({ name: 'B', symbol: 'B', decimals: 6, kind: 'blocking' })
  await deployment.chain.fund(solver.address, 10n ** 9n, token)
  const blocked = `0x${'66'.repeat(20)}`
  const args = [getAddress(blocked)] as const
  const data = encodeFunctionData({ abi: blockingTokenAbi, functionName: 'block', args })
  await deployment.chain.send(solver, { to: token, data })
  const refused = failure(await adapter.simulate(payout(blocked, token)))
  expect(refused.kind).toBe('recipient-cannot-receive')
  expect(refused.message).toBe('The recipient cannot receive this token: account is blocked')
  expect(refused.call).toMatchObject({ from: solver.address, to: token, value: '0' })
  expect(refused.block).toBeTypeOf('bigint')
  expect((await adapter.simulate(payout(PLAIN, token))).ok).toBe(true)
})

test('a solver without enough money is told from a recipient who cannot be paid', async () => {
  expect(failure(await adapter.simulate(payout(PLAIN, deployment.token, 10n ** 30n))).kind).toBe('insufficient-funds')
  expect(failure(await adapter.simulate(payout(PLAIN, ZERO_ADDRESS, 10n ** 30n))).kind).toBe('insufficient-funds')
  const hostile = await recipient(MODE.refuse)
  const refused = failure(await adapter.simulate(payout(hostile, ZERO_ADDRESS, 10n ** 30n)))
  expect(refused.kind).toBe('recipient-cannot-receive')
})

test('F62: hostile recipients are refused, with bounded gas and bounded revert data', async () => {
  const refusing = failure(await adapter.simulate(payout(await recipient(MODE.refuse), ZERO_ADDRESS)))
  expect(refusing).toMatchObject({ kind: 'recipient-cannot-receive' })
  expect(refusing.message).toContain('cannot receive the native currency')
  for (const length of [5_000n, 10_000_000n]) {
    const long = failure(await adapter.simulate(payout(await recipient(MODE.refuseAtLength, length), ZERO_ADDRESS)))
    expect(long.kind).toBe('recipient-cannot-receive')
    expect(JSON.stringify(long.data ?? null).length).toBeLessThan(4096)
    expect(long.message.length).toBeLessThan(500)
  }
  const burning = failure(await adapter.simulate(payout(await recipient(MODE.burnGas), ZERO_ADDRESS)))
  expect(burning.kind).toBe('recipient-cannot-receive')
})

test('a contract that takes value but refuses data is paid through the fill router', async () => {
  const wallet = await deployReceiver()
  const result = await adapter.simulate(payout(wallet, ZERO_ADDRESS))
  expect(result.ok).toBe(true)
  const { prepared } = await adapter.lane.prepare([{ payout: payout(wallet, ZERO_ADDRESS), gas: 60_000n }], {
    nonce: 0,
  })
  expect(prepared[0]?.transaction).toMatchObject({ to: deployment.fillRouter, value: '1000' })
})

test('calls run through the fill router and a failing call is decoded', async () => {
  const mint = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [getAddress(PLAIN), 5n] })
  const good = payout(PLAIN, ZERO_ADDRESS, 0n, { calls: [{ to: deployment.token, data: mint, value: 0n }] })
  expect((await adapter.simulate(good)).ok).toBe(true)
  const move = encodeFunctionData({
    abi: testTokenAbi,
    functionName: 'transferFrom',
    args: [getAddress(PLAIN), getAddress(solver.address), 5n],
  })
  const bad = payout(PLAIN, ZERO_ADDRESS, 0n, { calls: [{ to: deployment.token, data: move, value: 0n }] })
  const refused = failure(await adapter.simulate(bad))
  expect(refused).toMatchObject({
    kind: 'revert',
    message: 'The transaction would fail: call 0: allowance too low',
    call: { from: deployment.fillRouter, to: deployment.token, data: move, value: '0' },
    data: { name: 'Error', args: ['allowance too low'] },
  })
})

test('a node that cannot answer makes the simulation transient, not a refusal', async () => {
  proxy.add('eth_estimateGas', { httpStatus: 500 })
  expect(failure(await adapter.simulate(payout(PLAIN, ZERO_ADDRESS))).kind).toBe('transient')
  proxy.clear()
  proxy.failNext('eth_estimateGas', { code: -32000, message: 'header not found' })
  expect(failure(await adapter.simulate(payout(PLAIN, ZERO_ADDRESS))).kind).toBe('transient')
})

/** Code that accepts value without data and reverts with data: CALLDATASIZE PUSH1 5 JUMPI STOP JUMPDEST REVERT(0,0). */
const deployReceiver = async (): Promise<string> => {
  const address = `0x${'5a'.repeat(20)}`
  await deployment.chain.rpc('anvil_setCode', [address, '0x3660055700' + '5b5f5ffd'])
  return address
}

test('a token known to revert is asked once when a bound of the gas will do, and still refuses whom it blocks', async () => {
  const token = deployment.token
  const recipients = [1, 2, 3].map((n) => `0x${String(n).repeat(40)}`)
  const exact = await adapter.simulate(payout(recipients[0] ?? '', token))
  calls.length = 0
  const bound = await adapter.simulate(payout(recipients[1] ?? '', token), 'bound')
  expect(ownCalls()).toEqual(['eth_call'])
  expect(bound).toMatchObject({ ok: true, gas: exact.ok ? exact.gas : 0n })
  calls.length = 0
  await adapter.simulate(payout(recipients[2] ?? '', token), 'exact')
  expect(ownCalls()).toContain('eth_estimateGas')
  const tooMuch = await adapter.simulate(payout(recipients[1] ?? '', token, 10n ** 60n), 'bound')
  expect(failure(tooMuch).kind).toBe('insufficient-funds')
})

test('F123: a fill of a token that takes a fee is refused, its refund is not', async () => {
  const token = await deployment.chain.deployToken({ name: 'Fee', symbol: 'FEE', decimals: 6, kind: 'fee' })
  await deployment.chain.fund(solver.address, 10_000n, token)
  const refused = failure(await adapter.simulate(payout(PLAIN, token)))
  expect(refused).toMatchObject({ kind: 'revert', message: 'The token takes a fee: of 1000 only 990 would arrive.' })
  expect(await adapter.simulate(payout(PLAIN, token, 1_000n, { purpose: 'refund' }))).toMatchObject({ ok: true })
})

test('F123: a node that runs no code in another place says nothing of fees, and payments go on', async () => {
  const token = await deployment.chain.deployToken({ name: 'Plain', symbol: 'PLN', decimals: 6 })
  await deployment.chain.fund(solver.address, 10_000n, token)
  const error = { code: -32602, message: 'too many arguments, want at most 2' }
  proxy.add('eth_call', { when: (params) => params.length > 2, error })
  expect(await adapter.simulate(payout(PLAIN, token))).toMatchObject({ ok: true })
  proxy.clear()
})
