import { randomBytes } from 'node:crypto'
import { depositAddressFactoryAbi, depositAddressFactoryBytecode } from '@causeway/contracts-abi'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'

let deployment: TestDeployment

beforeAll(async () => {
  deployment = await startTestDeployment(31_144)
})
afterAll(() => deployment?.chain.close())

const faults = async (depositAddressFactory: string) => {
  const adapter = deployment.adapter({ rpc: [{ http: deployment.chain.rpcUrl }], options: { depositAddressFactory } })
  const found = await adapter.diagnose({ timeoutMs: 5_000, allocator: null })
  return found.filter(({ state }) => state === 'fault').map(({ subject }) => subject)
}

test('the factory of deposit addresses must be there', async () => {
  expect(await faults(deployment.depositAddressFactory)).toEqual([])
  const nowhere = `0x${randomBytes(20).toString('hex')}`
  expect(await faults(nowhere)).toEqual(['local-31144 deposit address factory'])
})

test('a factory that sweeps into another depository, or is another contract, is a fault before anybody pays there', async () => {
  const { chain, swapRouter } = deployment
  const stranger = getAddress(`0x${randomBytes(20).toString('hex')}`)
  const foreign = await chain.deploy(depositAddressFactoryAbi, depositAddressFactoryBytecode, [stranger])
  for (const factory of [foreign, swapRouter, deployment.depository])
    expect(await faults(factory)).toEqual(['local-31144 deposit addresses'])
})
