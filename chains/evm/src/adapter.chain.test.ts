import type { Json } from '@causeway/core'
import type { DepositRequest } from '@causeway/core/chain'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmAdapter } from './adapter.js'
import { ZERO_ADDRESS } from './address/addresses.js'
import { startFaultProxy } from './testing/node/faultProxy.js'
import type { LocalAccount, SentTransaction } from './testing/node/localChain.js'
import { sendMined } from './testing/node/sendMined.js'
import { startTestDeployment, type TestDeployment } from './testing/testDeployment.js'

const ORDER_ID = `0x${'ab'.repeat(32)}` as const

let deployment: TestDeployment
let adapter: EvmAdapter
let user: LocalAccount
const calls: string[] = []

beforeAll(async () => {
  deployment = await startTestDeployment(31_101)
  adapter = deployment.adapter({ hooks: { onRpcCall: (method) => calls.push(method) } })
  await adapter.start(new AbortController().signal)
  user = deployment.chain.accounts[0] as LocalAccount
})

afterAll(async () => {
  await adapter.stop()
  await deployment.chain.close()
})

const request = (currency: string, amount: bigint, explicitDeposit = true): DepositRequest => ({
  from: user.address,
  money: { currency, amount },
  orderId: ORDER_ID,
  explicitDeposit,
})

const asTransaction = (data: Json): SentTransaction => {
  const { to, data: input, value } = data as { to: string; data: `0x${string}`; value: string }
  return { to, data: input, value: BigInt(value) }
}

test('chains.md evm 1: addresses are checked strictly and kept in lower case', () => {
  const checksummed = getAddress('0x4cd00e387622c35bddb9b4c962c136462338bc31')
  expect(adapter.validateAddress(checksummed)).toEqual({ ok: true, canonical: checksummed.toLowerCase() })
  expect(adapter.validateAddress(checksummed.toLowerCase()).ok).toBe(true)
  expect(adapter.validateAddress('0x4cd00E387622c35bddb9b4c962c136462338bc31').ok).toBe(false)
  expect(adapter.normalizeCurrency('nonsense')).toBeNull()
  expect(adapter.sameAddress(checksummed, checksummed.toLowerCase())).toBe(true)
})

test('chains.md evm 5: extraData is the ABI encoding of the fill contract', () => {
  expect(adapter.orderExtraData()).toBe(`0x${'0'.repeat(24)}${deployment.fillRouter.slice(2)}`)
})

test('balances of native currency and tokens come in one batch; what does not answer as a token is not known (F128)', async () => {
  calls.length = 0
  const { amounts } = await adapter.getBalances([
    { address: user.address, currency: ZERO_ADDRESS },
    { address: user.address, currency: deployment.token },
    { address: user.address, currency: deployment.depository },
    { address: user.address, currency: user.address },
  ])
  expect(amounts[0]).toBeGreaterThan(0n)
  expect(amounts[1]).toBe(10n ** 12n)
  expect(amounts.slice(2)).toEqual([null, null])
})

test('wire.md A.5 evm: a native deposit step has exactly the documented members', async () => {
  const [step, ...rest] = await adapter.buildDeposit(request(ZERO_ADDRESS, 1000n))
  expect(rest).toEqual([])
  expect(step).toMatchObject({ stepId: 'deposit', kind: 'transaction' })
  const data = step?.data as { readonly [key: string]: Json }
  expect(Object.keys(data).sort()).toEqual([
    'chainId',
    'data',
    'from',
    'maxFeePerGas',
    'maxPriorityFeePerGas',
    'to',
    'value',
  ])
  expect(data).toMatchObject({ from: user.address, to: deployment.depository, value: '1000', chainId: 31_101 })
  expect(String(data.data).startsWith('0x49290c1c')).toBe(true)
  expect(String(data.maxFeePerGas)).toMatch(/^[1-9][0-9]*$/)
})

test('wire.md 1.4: a token deposit is approve and deposit, without approve once the allowance is enough', async () => {
  const first = await adapter.buildDeposit(request(deployment.token, 500n))
  expect(first.map(({ stepId }) => stepId)).toEqual(['approve', 'deposit'])
  await sendMined(deployment.chain, user, asTransaction(first[0]?.data ?? null))
  // Another adapter has not remembered the allowance of before.
  const other = deployment.adapter({})
  const second = await other.buildDeposit(request(deployment.token, 500n))
  expect(second.map(({ stepId }) => stepId)).toEqual(['deposit'])
  const third = await other.buildDeposit(request(deployment.token, 501n))
  await other.stop()
  expect(third.map(({ stepId }) => stepId)).toEqual(['approve', 'deposit'])
})

test('wire.md 1.4: a zero-reset token with an allowance gets two approve steps', async () => {
  const strict = deployment.adapter({ options: { zeroResetTokens: [deployment.token] } })
  const steps = await strict.buildDeposit(request(deployment.token, 10n ** 9n))
  await strict.stop()
  expect(steps.map(({ stepId }) => stepId)).toEqual(['approve', 'approve', 'deposit'])
})

test('wire.md G.4: without explicit deposit the token step is a transfer with the order id behind it', async () => {
  const steps = await adapter.buildDeposit(request(deployment.token, 7n, false))
  expect(steps).toHaveLength(1)
  const { to, data } = asTransaction(steps[0]?.data ?? null)
  expect(to).toBe(deployment.token)
  expect(data?.startsWith('0xa9059cbb')).toBe(true)
  expect(data?.endsWith(ORDER_ID.slice(2))).toBe(true)
})

test('every deposit form is recognised in its own transaction by findTransaction', async () => {
  const forms = [request(ZERO_ADDRESS, 5n), request(deployment.token, 500n), request(deployment.token, 6n, false)]
  for (const form of forms) {
    const steps = await adapter.buildDeposit(form)
    let hash = ''
    for (const step of steps) hash = await deployment.chain.send(user, asTransaction(step.data))
    await expect.poll(async () => (await adapter.findTransaction({ id: hash })).status).toBe('success')
    expect((await adapter.findTransaction({ id: hash })).depositOrderIds).toEqual([ORDER_ID])
  }
  expect((await adapter.findTransaction({ id: `0x${'11'.repeat(32)}` })).status).toBe('unknown')
})

test('wire.md K.1 6: zero address, depository and fill router cannot be paid', async () => {
  for (const address of [ZERO_ADDRESS, deployment.depository, deployment.fillRouter]) {
    expect((await adapter.recipientStatus({ address })).canReceive).toBe(false)
  }
  expect((await adapter.recipientStatus({ address: user.address })).canReceive).toBe(true)
})

test('fee quotes need no call while the fee level is fresh', async () => {
  const payout = {
    purpose: 'fill',
    orderId: ORDER_ID,
    from: user.address,
    to: { address: user.address },
    money: { currency: ZERO_ADDRESS, amount: 1n },
    calls: [],
  } as const
  await adapter.estimatePayoutFee(payout)
  calls.length = 0
  const plain = await adapter.estimatePayoutFee(payout)
  const simulated = await adapter.estimatePayoutFee(payout, { ok: true, gas: 44_000n, block: 1n })
  const deposit = await adapter.estimateDepositFee(request(deployment.token, 1n))
  expect(plain.network.amount).toBeGreaterThan(0n)
  expect(simulated.network.amount).toBe(plain.network.amount * 2n)
  expect(deposit.network.amount).toBeGreaterThan(plain.network.amount)
  expect(calls.filter((method) => method !== 'eth_getBlockByNumber' && method !== 'eth_maxPriorityFeePerGas')).toEqual(
    [],
  )
})

test.each([
  // `getL1Fee` answers 0x1234; `getOperatorFee` 200 for each gas and 7, as since Jovian with a scalar of 2, or reverts, as before Isthmus.
  [
    'with an operator fee',
    '0x5f3560e01c63275aedd2146017576112345f5260205ff35b60043560c8026007015f5260205ff3',
    0x1234n + 45_000n * 200n + 7n,
  ],
  ['without an operator fee', '0x5f3560e01c63275aedd2146017576112345f5260205ff35b5f5ffd', 0x1234n],
])('the fees of an OP Stack chain are added: data on the parent chain, %s', async (_, oracleCode, added) => {
  await deployment.chain.rpc('anvil_setCode', ['0x420000000000000000000000000000000000000f', oracleCode])
  const rollup = deployment.adapter({ options: { l1DataFee: 'op-stack' } })
  const deposit = request(ZERO_ADDRESS, 1n)
  // Both are asked until they go by the same block: its fees are those of the last one that each has seen.
  await expect
    .poll(async () => {
      const [plain, whole] = [await adapter.estimateDepositFee(deposit), await rollup.estimateDepositFee(deposit)]
      return whole.network.amount - plain.network.amount
    })
    .toBe(added)
  await rollup.stop()
})

test('start refuses a chain none of whose nodes is usable', async () => {
  const dead = deployment.adapter({ rpc: [{ http: 'http://127.0.0.1:9' }] })
  await expect(dead.start(new AbortController().signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await dead.stop()
})

test('a chain that could not be reached is started when it can be', async () => {
  const proxy = await startFaultProxy(deployment.chain.rpcUrl)
  const late = deployment.adapter({ rpc: [{ http: proxy.url }] })
  proxy.add('eth_getBlockByNumber', { drop: true })
  const stop = new AbortController()
  await expect(late.start(stop.signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  proxy.clear()
  await late.start(stop.signal)
  const seen: bigint[] = []
  late.onHead(({ height }) => void seen.push(height), stop.signal)
  await deployment.chain.mine(1)
  const { height } = await late.tip()
  await expect.poll(() => seen.at(-1) ?? 0n).toBeGreaterThanOrEqual(height)
  stop.abort()
  await proxy.close()
})

test('a standing chain counts as unavailable when the operator says so', async () => {
  const strict = deployment.adapter({ options: { maxHeadAgeSeconds: 60 } })
  await deployment.chain.mine(1)
  expect((await strict.tip()).height).toBeGreaterThan(0n)
  await deployment.chain.rpc('evm_setNextBlockTimestamp', [Math.floor(Date.now() / 1000) + 1])
  const later = deployment.adapter({ options: { maxHeadAgeSeconds: 1 } })
  await expect.poll(() => later.tip().catch((error: { code: string }) => error.code)).toBe('SERVICE_UNAVAILABLE')
  await strict.stop()
  await later.stop()
})

test('heads arrive by websocket and by polling', async () => {
  const polling = deployment.adapter({ rpc: [{ http: deployment.chain.rpcUrl }] })
  const stop = new AbortController()
  await polling.start(stop.signal)
  const seen: { [name: string]: bigint } = {}
  adapter.onHead((head) => Object.assign(seen, { socket: head.height }), stop.signal)
  polling.onHead((head) => Object.assign(seen, { poll: head.height }), stop.signal)
  await deployment.chain.mine(1)
  const { height } = await polling.tip()
  await expect.poll(() => seen.socket ?? 0n).toBeGreaterThanOrEqual(height)
  await expect.poll(() => seen.poll ?? 0n).toBeGreaterThanOrEqual(height)
  stop.abort()
})
