import { randomBytes } from 'node:crypto'
import {
  depositAddressFactoryAbi,
  depositAddressFactoryBytecode,
  formerDepositAddressFactoryAbi,
  formerDepositAddressFactoryBytecode,
} from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { getAddress, keccak256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFaultProxy } from '../../testing/node/faultProxy.js'
import { startTestDeployment, type TestDeployment } from '../../testing/testDeployment.js'

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
  expect(await faults(foreign)).toEqual(['local-31144 deposit addresses'])
  for (const factory of [swapRouter, deployment.depository])
    expect(await faults(factory)).toEqual(['local-31144 deposit address factory'])
})

test('a contract with other code than this release is a fault, unless the configuration accepts its code', async () => {
  const { chain, token, depository } = deployment
  const messages = async (options: object) => {
    const adapter = deployment.adapter({ rpc: [{ http: chain.rpcUrl }], options })
    const found = await adapter.verifyContracts({ allocator: null })
    return found.filter(({ state }) => state === 'fault').map(({ subject, message }) => `${subject} ${message}`)
  }
  expect(await messages({})).toEqual([])
  const other = `has other code than this release at ${token.toLowerCase()}`
  expect(await messages({ fillRouter: token })).toEqual([`local-31144 fill router ${other}`])
  expect(await messages({ depository: token, depositAddressFactory: null, permitRouter: null })).toEqual([
    `local-31144 depository ${other}`,
    expect.stringMatching(/^local-31144 depository does not name its allocator/),
  ])
  const code = await chain.rpc<Hex>('eth_getCode', [token, 'latest'])
  expect(await messages({ fillRouter: token, acceptedCodeHashes: [keccak256(code)] })).toEqual([])
  expect(await messages({ owner: token })).toEqual([expect.stringMatching(/^local-31144 depository belongs to /)])
  expect(await messages({ l1DataFee: 'op-stack' })).toEqual([
    expect.stringMatching(/^local-31144 fee oracle states no data fee/),
  ])
  const adapter = deployment.adapter({ rpc: [{ http: chain.rpcUrl }], options: {} })
  const foreign = await adapter.verifyContracts({ allocator: depository })
  expect(foreign.filter(({ state }) => state === 'fault').map(({ check }) => check)).toEqual(['allocator'])
})

test('F157: each provider shows its own view, so that a node that hides code or states other decimals is told apart', async () => {
  const { chain, token } = deployment
  const proxy = await startFaultProxy(chain.rpcUrl)
  const rpc = [
    { http: chain.rpcUrl, provider: 'one' },
    { http: proxy.url, provider: 'false' },
    { http: chain.rpcUrl, provider: 'two' },
  ]
  const adapter = deployment.adapter({ rpc, options: {} })
  proxy.add('eth_getCode', { rewrite: () => '0x' })
  proxy.add('eth_call', {
    when: ([call]) => JSON.stringify(call).includes('0x313ce567'),
    rewrite: () => `0x${'12'.padStart(64, '0')}`,
  })
  const { providers, providerCount } = adapter.providerViews()
  expect(providerCount).toBe(3)
  const views = await Promise.all(
    providers.map(async (view) => {
      const [facts] = (await view.readTokens?.([token])) ?? []
      const found = await view.verifyContracts({ allocator: null })
      return [view.provider, facts?.decimals, found.some(({ state }) => state === 'fault')]
    }),
  )
  expect(views).toEqual([
    ['one', 6, false],
    ['false', 18, true],
    ['two', 6, false],
  ])
  await adapter.stop()
  await proxy.close()
})

test('a former factory of the depository may be swept, and is a warning where it still makes addresses', async () => {
  const { chain, depository, depositAddressFactory } = deployment
  const to = getAddress(depository)
  const former = await chain.deploy(formerDepositAddressFactoryAbi, formerDepositAddressFactoryBytecode, [to])
  const stranger = getAddress(`0x${randomBytes(20).toString('hex')}`)
  const foreign = await chain.deploy(formerDepositAddressFactoryAbi, formerDepositAddressFactoryBytecode, [stranger])
  const found = async (factory: string, formerDepositAddressFactories: string[]) => {
    const options = { depositAddressFactory: factory, formerDepositAddressFactories }
    const adapter = deployment.adapter({ rpc: [{ http: chain.rpcUrl }], options })
    const diagnoses = await adapter.diagnose({ timeoutMs: 5_000, allocator: null })
    return diagnoses.flatMap(({ subject, state }) =>
      subject.endsWith('deposit addresses') ? [`${subject}: ${state}`] : [],
    )
  }
  expect(await found(former, [])).toEqual(['local-31144 deposit addresses: warning'])
  expect(await found(depositAddressFactory, [former, foreign])).toEqual([
    'local-31144 deposit addresses: ok',
    'local-31144 former deposit addresses: ok',
    'local-31144 former deposit addresses: fault',
  ])
})
