import type { Json } from '@causeway/core'
import type { DepositEvent, DepositRequest } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { encodeApprove } from '../payout/contracts/staticCall.js'
import type { LocalAccount, SentTransaction } from '../testing/node/localChain.js'
import { sendMined } from '../testing/node/sendMined.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'
import { deployTestExchange, type TestTrade } from '../testing/testExchange.js'

const ORDER_ID = `0x${'ab'.repeat(32)}` as const
const WRAPPED = `0x${'77'.repeat(20)}`

let deployment: TestDeployment
let adapter: EvmAdapter
let user: LocalAccount
let sold: string
let deposited: string
let exchange: Awaited<ReturnType<typeof deployTestExchange>>
const calls: string[] = []

beforeAll(async () => {
  deployment = await startTestDeployment(31_122)
  const { chain, swapRouter } = deployment
  user = chain.accounts[0] as LocalAccount
  sold = deployment.token
  deposited = await chain.deployToken({ name: 'Deposited', symbol: 'DEP', decimals: 6 })
  exchange = await deployTestExchange(chain, { swapRouter, tokens: [deposited] })
  adapter = adapterWith([])
  await adapter.start(new AbortController().signal)
})
afterAll(async () => {
  await adapter.stop()
  await deployment.chain.close()
})

const adapterWith = (zeroResetTokens: string[]): EvmAdapter =>
  deployment.adapter({
    options: { swap: { router: deployment.swapRouter, wrappedNative: WRAPPED }, zeroResetTokens, startBlock: 0 },
    hooks: { onRpcCall: (method) => calls.push(method) },
  })

const request = (trade: Partial<TestTrade> = {}): DepositRequest => {
  const whole = { from: sold, to: deposited, amountIn: 1_000n, amountOut: 500n, minimumOut: 450n, ...trade }
  return {
    from: user.address,
    money: { currency: whole.to, amount: whole.amountOut },
    orderId: ORDER_ID,
    explicitDeposit: true,
    originSwap: exchange.order(whole),
  }
}

const asTransaction = (data: Json): SentTransaction => {
  const { to, data: input, value } = data as { to: string; data: `0x${string}`; value: string }
  return { to, data: input, value: BigInt(value) }
}

const execute = async (subject: DepositRequest): Promise<string> => {
  let hash = ''
  for (const { data } of await adapter.buildDeposit(subject)) {
    hash = (await sendMined(deployment.chain, user, asTransaction(data))).transactionHash
  }
  return hash
}

const depositOf = async (id: string): Promise<DepositEvent | undefined> =>
  (await adapter.recheckDeposits([{ tx: { id }, position: 0 }]))[0]?.deposit

test('wire.md 1.4: approve, then one deposit that swaps; the allowance is read once', async () => {
  calls.length = 0
  adapter.prefetchDeposit(request())
  const steps = await adapter.buildDeposit(request())
  expect(steps.map(({ stepId }) => stepId)).toEqual(['approve', 'deposit'])
  expect(calls.filter((method) => method === 'eth_call')).toHaveLength(1)
  const [approve, deposit] = steps.map(({ data }) => data)
  expect(approve).toMatchObject({ to: sold, data: encodeApprove(deployment.swapRouter, 1_000n), value: '0' })
  expect(deposit).toMatchObject({ from: user.address, to: deployment.swapRouter, value: '0' })
})

test('all that the swap gives is an ordinary deposit of the user under the order id', async () => {
  const id = await execute(request({ amountOut: 480n }))
  expect(await depositOf(id)).toMatchObject({
    state: 'included',
    orderId: ORDER_ID,
    depositor: user.address,
    money: { currency: deposited, amount: 480n },
  })
})

test('native currency is swapped without an approval, and native currency can come out', async () => {
  const native = request({ from: ZERO_ADDRESS })
  const [step, ...rest] = await adapter.buildDeposit(native)
  expect([rest, step?.stepId]).toEqual([[], 'deposit'])
  expect(step?.data).toMatchObject({ value: '1000' })
  expect((await depositOf(await execute(native)))?.money).toEqual({ currency: deposited, amount: 500n })
  const out = await depositOf(await execute(request({ to: ZERO_ADDRESS })))
  expect(out).toMatchObject({ money: { currency: ZERO_ADDRESS, amount: 500n }, depositor: user.address })
})

test('a swap that gives less than its minimum reverts: nothing is deposited', async () => {
  await expect(execute(request({ amountOut: 449n }))).rejects.toThrow()
})

test('zero-reset tokens are approved in two steps when an allowance is left', async () => {
  await sendMined(deployment.chain, user, { to: sold, data: encodeApprove(deployment.swapRouter, 5n) })
  const steps = await adapterWith([sold]).buildDeposit(request())
  expect(steps.map(({ stepId }) => stepId)).toEqual(['approve', 'approve', 'deposit'])
  const first = steps[0]?.data
  expect(first).toMatchObject({ data: encodeApprove(deployment.swapRouter, 0n) })
})

test('wire.md 1.3 fees.gas: the estimate is of the size of what it takes', async () => {
  const estimate = await adapter.estimateDepositFee(request())
  const plain = await adapter.estimateDepositFee({ ...request(), money: { currency: sold, amount: 1n } })
  expect(plain.network.amount).toBe(estimate.network.amount)
  const id = await execute(request())
  const { gasUsed } = await deployment.chain.rpc<{ gasUsed: string }>('eth_getTransactionReceipt', [id])
  const native = await adapter.estimateDepositFee({
    from: user.address,
    money: { currency: ZERO_ADDRESS, amount: 1n },
    orderId: ORDER_ID,
    explicitDeposit: true,
  })
  // A native deposit is estimated at 45 000 gas.
  const gas = (estimate.network.amount * 45_000n) / native.network.amount
  expect(gas).toBeGreaterThan(BigInt(gasUsed))
  expect(gas).toBeLessThan(BigInt(gasUsed) * 2n)
})
