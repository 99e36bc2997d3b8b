import { depositoryAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { Payout, PermitKind } from '@causeway/core/chain'
import { encodeFunctionData, getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { encodeTransfer } from '../payout/contracts/staticCall.js'
import type { LocalAccount, TestTokenKind } from '../testing/node/localChain.js'
import { AMOUNT, newOrderId, type PermitWorld, signForm, startPermitWorld } from './permitWorld.test.support.js'

let world: PermitWorld
/** Called straight from the lane's account: a token stands for a contract that refuses contract callers. */
let direct: string

beforeAll(async () => {
  world = await startPermitWorld(31_143)
  direct = await world.token('standard')
})

afterAll(() => world.close())

const signed = async (kind: PermitKind, token: string, changes: Parameters<PermitWorld['terms']>[2] = {}) => {
  const form = await world.permits.form(world.terms(kind, token, changes))
  return world.payout(form, await signForm(form, world.user))
}

const refusal = async (payout: Payout): Promise<string> => {
  const simulation = await world.adapter.simulate(payout)
  if (simulation.ok) throw new Error('The simulation succeeds')
  expect(simulation.kind).toBe('revert')
  return simulation.message
}

const called = (to: string, data: Hex, changes: Partial<Payout> = {}): Payout => ({
  purpose: 'origin',
  orderId: newOrderId(),
  from: world.solver.address,
  to: { address: to },
  money: { currency: ZERO_ADDRESS, amount: 0n },
  calls: [],
  call: { to, data, value: 0n },
  ...changes,
})

const WAYS: readonly (readonly [PermitKind, TestTokenKind])[] = [
  ['eip3009', 'authorization'],
  ['eip2612', 'permit'],
  ['permit2', 'standard'],
]

test.each(WAYS)('%s: why it brings nothing in is said in plain words, and nothing is moved', async (kind, of) => {
  const token = await world.token(of)
  if (kind === 'permit2') await world.allowPermit2(token)
  const payout = await signed(kind, token)
  const terms = payout.permit?.terms
  if (terms === undefined || payout.permit === undefined) throw new Error('Nothing is signed')
  const rich = await signed(kind, token, { money: { currency: token, amount: 10n ** 15n } })
  expect(await refusal(rich)).toMatch(/^The account holds 1000000000000 of the token, 1000000000000000 was signed for/)
  const other = { ...payout, permit: { ...payout.permit, signature: rich.permit?.signature ?? '0x' } }
  expect(await refusal(other)).toMatch(/^The token refuses what was signed: /)
  const late = await signed(kind, token, { expiresAt: (await world.now()) - 1 })
  expect(await refusal(late)).toMatch(/has expired/)
  const wrong = { ...payout, orderId: newOrderId() }
  expect(await refusal(wrong)).toMatch(/under that order id/)
  expect(await refusal({ ...payout, to: { address: world.solver.address } })).toMatch(/pays the depository alone/)
  const shrunk = { ...payout, money: { currency: token, amount: AMOUNT - 1n } }
  expect(await refusal(shrunk)).toMatch(/what was signed for/)
  expect(await world.balance(token, world.user.address)).toBe(10n ** 12n)
})

test('Permit2 without an allowance is said to be refused', async () => {
  expect(await refusal(await signed('permit2', await world.token('standard')))).toMatch(/TRANSFER_FROM_FAILED/)
})

test('a token that takes a fee brings in what came', async () => {
  const token = await world.token('fee')
  await world.allowPermit2(token)
  const { state } = await world.pay(await signed('permit2', token))
  // Router and depository each get a hundredth less.
  expect(state.paid).toBe(980_100n)
})

test('a contract wallet signs, and the lane brings it in', async () => {
  const wallet = await world.wallets.make(world.user.address)
  const token = await world.token('authorization', wallet)
  const payout = await signed('eip3009', token, { owner: wallet })
  const { state, txId } = await world.pay(payout)
  expect(state.paid).toBe(AMOUNT)
  expect(await world.told(txId)).toMatchObject([{ from: wallet, id: payout.orderId }])
})

test('F145: a wallet that burns more on the chain than any simulation shows burns no more than the limit', async () => {
  const { adapter, deployment, solver } = world
  const wallet = await world.wallets.make(world.user.address, 'burns-sent')
  const token = await world.token('authorization', wallet)
  const free = await signed('eip3009', token, { owner: wallet })
  const simulation = await adapter.simulate(free)
  if (!simulation.ok) throw new Error(simulation.message)
  const { network } = await adapter.estimatePayoutFee(free, simulation)
  const payout = { ...free, feeLimit: (network.amount * 11n) / 10n }
  const { position } = await adapter.lane.read(solver.address, null)
  const [prepared] = (await adapter.lane.prepare([{ payout, gas: simulation.gas }], position)).prepared
  if (prepared === null || prepared === undefined) throw new Error('Nothing was prepared')
  expect(prepared.feeCap).toBeLessThanOrEqual(payout.feeLimit)
  expect(await adapter.lane.replace(prepared)).toBeNull()
  const { txId } = await world.pay(payout, 'reverted')
  const { gasUsed, effectiveGasPrice } = await deployment.chain.rpc<{ gasUsed: Hex; effectiveGasPrice: Hex }>(
    'eth_getTransactionReceipt',
    [txId],
  )
  expect(BigInt(gasUsed)).toBeGreaterThan(simulation.gas)
  expect(BigInt(gasUsed) * BigInt(effectiveGasPrice)).toBeLessThanOrEqual(payout.feeLimit)
  const poor = { ...payout, feeLimit: network.amount / 2n }
  expect((await adapter.lane.prepare([{ payout: poor, gas: simulation.gas }], position)).prepared).toEqual([null])
})

test.each(WAYS)('%s: what somebody else submitted has landed, though the own transaction fails', async (kind, of) => {
  const { deployment, adapter, solver } = world
  const { chain } = deployment
  const token = await world.token(of)
  if (kind === 'permit2') await world.allowPermit2(token)
  const payout = await signed(kind, token)
  const { position } = await adapter.lane.read(solver.address, null)
  const prepared = (await adapter.lane.prepare([{ payout, gas: 400_000n }], position)).prepared[0]
  if (prepared === null || prepared === undefined) throw new Error('Nothing was prepared')
  expect(prepared.guards[1]).toMatch(new RegExp(`^request:0x[0-9a-f]{64}:${payout.permit?.terms.expiresAt}$`))
  expect(await adapter.lane.payoutVerdict(prepared.guards, [])).toBe('alive')
  const { to, data } = prepared.transaction as { readonly to: string; readonly data: Hex }
  await chain.send(chain.accounts[4] as LocalAccount, { to, data })
  await chain.mine(1)
  expect(await world.balance(token, deployment.depository)).toBe(AMOUNT)
  await chain.mine(5)
  expect(await adapter.lane.payoutVerdict(prepared.guards, [])).toBe('landed')
})

test('a permit lives until it expires, whatever becomes of the nonce', async () => {
  const { deployment, adapter, solver } = world
  const { chain } = deployment
  const token = await world.token('authorization')
  const payout = await signed('eip3009', token, { expiresAt: (await world.now()) + 40 })
  const { position } = await adapter.lane.read(solver.address, null)
  const prepared = (await adapter.lane.prepare([{ payout, gas: null }], position)).prepared[0]
  if (prepared === null || prepared === undefined) throw new Error('Nothing was prepared')
  await chain.send(solver, { to: solver.address, value: 0n })
  await chain.mine(6)
  expect(await adapter.lane.payoutVerdict(prepared.guards, [])).toBe('alive')
  await chain.rpc('evm_increaseTime', [60])
  await chain.mine(6)
  expect(await adapter.lane.payoutVerdict(prepared.guards, [])).toBe('dead')
  expect(await world.balance(token, deployment.depository)).toBe(0n)
})

test('a lane whose journal is older finds what it sent for users', async () => {
  const { adapter, solver, deployment } = world
  const token = await world.token('authorization')
  const before = await adapter.lane.read(solver.address, null)
  const { height } = await adapter.tip()
  const payout = await signed('eip3009', token)
  await world.pay(payout)
  const call = called(direct, encodeTransfer(deployment.fillRouter, 0n))
  await world.pay(call)
  const { unknown } = await adapter.lane.read(solver.address, { position: before.position, sinceHeight: height })
  expect(unknown).toMatchObject([
    { purpose: 'origin', orderId: payout.orderId, to: deployment.depository, money: payout.money, status: 'success' },
    { purpose: 'origin', orderId: call.orderId, to: direct, money: { currency: ZERO_ADDRESS, amount: 0n } },
  ])
  expect(unknown[0]?.guards).toHaveLength(2)
})

test('a call runs in a fresh account that holds nothing and can take nothing of the lane', async () => {
  const { deployment, solver, user } = world
  const token = await world.token('standard', solver.address)
  await deployment.allowRouters(solver, [token])
  const take = `0x23b872dd${[solver.address, user.address].map((address) => address.slice(2).toLowerCase().padStart(64, '0')).join('')}${'1'.padStart(64, '0')}`
  expect(await refusal(called(token, take as Hex))).toBe('The call would fail: allowance too low')
  const deposit = encodeFunctionData({
    abi: depositoryAbi,
    functionName: 'depositNative',
    args: [getAddress(user.address), newOrderId()],
  })
  const { state, txId } = await world.pay(called(deployment.depository, deposit))
  expect(state).toMatchObject({ status: 'success', paid: null, txData: { to: deployment.fillRouter, value: '0' } })
  expect(state.currencyFee).toBeUndefined()
  expect(txId).toMatch(/^0x/)
})

test('a call that fails is told with its reason, its data and as the user made it', async () => {
  const token = await world.token('standard')
  const data = encodeTransfer(world.user.address, 5n)
  const simulation = await world.adapter.simulate(called(token, data))
  expect(simulation).toMatchObject({
    ok: false,
    kind: 'revert',
    message: 'The call would fail: balance too low',
    data: { name: 'Error', args: ['balance too low'] },
    call: { to: token, data },
  })
})

test('a call with native currency, or to nobody, is not made', async () => {
  const call = { to: direct, data: '0x', value: 1n } as const
  expect(await refusal(called(direct, '0x', { call }))).toMatch(/moves no native currency/)
  const { call: _, ...nothing } = called(direct, '0x')
  expect(await refusal(nothing)).toMatch(/needs a signed deposit or a call/)
})

test('a call to a contract that is configured so goes out from the account itself', async () => {
  const other = await world.token('standard', world.solver.address)
  const adapter = world.deployment.adapter({ options: { directCallTargets: [other] } })
  await adapter.start(new AbortController().signal)
  try {
    const simulation = await adapter.simulate(called(other, encodeTransfer(world.user.address, 5n)))
    expect(simulation.ok).toBe(true)
  } finally {
    await adapter.stop()
  }
})
