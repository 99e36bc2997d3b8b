import { depositoryAbi, testTokenAbi } from '@causeway/contracts-abi'
import { type Address, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { startFaultProxy } from '../testing/node/faultProxy.js'
import type { LocalAccount, SentTransaction } from '../testing/node/localChain.js'
import { sendMined } from '../testing/node/sendMined.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'

let deployment: TestDeployment
let adapter: EvmAdapter
let user: LocalAccount
const OTHER = `0x${'7e'.repeat(20)}`

beforeAll(async () => {
  deployment = await startTestDeployment(31_109)
  adapter = deployment.adapter()
  await adapter.start(new AbortController().signal)
  user = deployment.chain.accounts[0] as LocalAccount
})
afterAll(async () => {
  await adapter.stop()
  await deployment.chain.close()
})

const send = async (transaction: SentTransaction): Promise<string> =>
  (await sendMined(deployment.chain, user, transaction)).transactionHash
const gain = (id: string, address: string, currency = ZERO_ADDRESS) =>
  adapter.accountGain({ id }, { address, currency })

test('a plain payment: what it brought and what it took out, whoever paid the fee', async () => {
  const id = await send({ to: OTHER, data: '0x', value: 1_500n })
  expect(await gain(id, OTHER)).toBe(1_500n)
  expect(await gain(id, OTHER.toUpperCase().replace('0X', '0x'))).toBe(1_500n)
  expect(await gain(id, user.address)).toBe(-1_500n)
  expect(await gain(id, deployment.depository)).toBe(0n)
  expect(await gain(id, OTHER, deployment.token)).toBe(0n)
})

test('tokens by their logs, of their own contract alone', async () => {
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [OTHER as Address, 70n] })
  const id = await send({ to: deployment.token, data })
  expect(await gain(id, OTHER, deployment.token)).toBe(70n)
  expect(await gain(id, user.address, deployment.token)).toBe(-70n)
  expect(await gain(id, OTHER)).toBe(0n)
  expect(await gain(id, OTHER, deployment.depository)).toBe(0n)
})

const throughContract = () =>
  encodeFunctionData({
    abi: depositoryAbi,
    functionName: 'depositNative',
    args: [user.address as Address, `0x${'ab'.repeat(32)}`],
  })

test('native currency that code moved is read from a trace; a node that traces nothing cannot tell', async () => {
  const id = await send({ to: deployment.depository, data: throughContract(), value: 900n })
  expect(await gain(id, deployment.depository)).toBe(900n)
  expect(await gain(id, user.address)).toBe(-900n)
  const proxy = await startFaultProxy(deployment.chain.rpcUrl)
  proxy.add('debug_traceTransaction', { error: { code: -32601, message: 'no such method' } })
  const blind = deployment.adapter({ rpc: [{ http: proxy.url }] })
  await blind.start(new AbortController().signal)
  expect(await blind.accountGain({ id }, { address: user.address, currency: ZERO_ADDRESS })).toBeNull()
  await blind.stop()
  await proxy.close()
})

test('what failed, or is in no block, tells nothing', async () => {
  expect(await gain(`0x${'12'.repeat(32)}`, user.address)).toBeNull()
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [OTHER as Address, 10n ** 60n] })
  const failed = await deployment.chain.send(user, { to: deployment.token, data, gas: 200_000n })
  await expect.poll(async () => (await adapter.findTransaction({ id: failed })).status).toBe('failure')
  expect(await gain(failed, user.address, deployment.token)).toBeNull()
})
