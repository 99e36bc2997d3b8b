import { depositoryAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { encodeFunctionData, getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { type FaultProxy, startFaultProxy } from '../testing/node/faultProxy.js'
import type { LocalAccount } from '../testing/node/localChain.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'

const AWAY = { code: 'SERVICE_UNAVAILABLE' }

let deployment: TestDeployment
let proxy: FaultProxy
let two: EvmAdapter

beforeAll(async () => {
  deployment = await startTestDeployment(31_119)
  proxy = await startFaultProxy(deployment.chain.rpcUrl)
  two = deployment.adapter({
    rpc: [
      { http: deployment.chain.rpcUrl, provider: 'one' },
      { http: proxy.url, provider: 'two' },
    ],
  })
})

afterAll(async () => {
  await two.stop()
  await proxy.close()
  await deployment.chain.close()
})

const deposit = async (): Promise<Hex> => {
  const { chain, depository } = deployment
  const user = chain.accounts[0] as LocalAccount
  const args = [getAddress(user.address), `0x${'c1'.repeat(32)}`] as const
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: 'depositNative', args })
  const id = await chain.send(user, { to: depository, value: 77n, data })
  await expect.poll(() => chain.rpc('eth_getTransactionReceipt', [id])).not.toBeNull()
  return id
}

const findingOf = async (id: Hex) => (await two.recheckDeposits([{ tx: { id }, position: 0 }]))[0]?.finding

/** From now on the second node answers these calls as it did before. */
const keepBranch = async (calls: readonly (readonly [string, readonly unknown[]])[]) => {
  for (const [method, params] of calls) {
    const before = await deployment.chain.rpc(method, params)
    const when = (asked: readonly unknown[]) => JSON.stringify(asked) === JSON.stringify(params)
    proxy.add(method, { when, rewrite: () => before })
  }
}

test('K.2 6: a node that is still on the branch that was left says nothing of where a deposit is now', async () => {
  await deployment.chain.mine(1)
  const id = await deposit()
  expect(await findingOf(id)).toBe('present')
  const { blockNumber } = await deployment.chain.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', [id])
  await keepBranch([
    ['eth_getTransactionReceipt', [id]],
    ['eth_getTransactionByHash', [id]],
    ['eth_getBlockByNumber', [blockNumber, false]],
  ])
  await deployment.chain.reorg(2)
  await expect(findingOf(id)).rejects.toMatchObject(AWAY)
  proxy.clear()
  expect(await findingOf(id)).toBe('missing')
})

test('a deposit is missing only by the readings of two providers', async () => {
  const id = await deposit()
  proxy.add('eth_getTransactionReceipt', { rewrite: () => null })
  await expect(findingOf(id)).rejects.toMatchObject(AWAY)
  proxy.add('eth_getTransactionByHash', { rewrite: () => null })
  expect(await findingOf(id)).toBe('present')
  proxy.clear()
  proxy.add('eth_getTransactionReceipt', { drop: true })
  await expect(findingOf(`0x${'00'.repeat(32)}`)).rejects.toMatchObject(AWAY)
  proxy.clear()
  expect(await findingOf(`0x${'00'.repeat(32)}`)).toBe('missing')
})
