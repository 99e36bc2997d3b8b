import { randomBytes } from 'node:crypto'
import { permitRouterAbi, permitRouterBytecode } from '@causeway/contracts-abi'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CANONICAL_PERMIT2 } from '../../options.js'
import { placePermit2 } from '../../testing/permit2.js'
import { startTestDeployment, type TestDeployment } from '../../testing/testDeployment.js'

let deployment: TestDeployment

beforeAll(async () => {
  deployment = await startTestDeployment(31_145)
})
afterAll(() => deployment?.chain.close())

const findings = async (options: { readonly permitRouter: string; readonly permit2?: string }) => {
  const adapter = deployment.adapter({ rpc: [{ http: deployment.chain.rpcUrl }], options })
  const found = await adapter.diagnose({ timeoutMs: 5_000, allocator: null })
  return found
    .filter(({ check, state }) => check === 'contract' && state !== 'ok')
    .map(({ state, subject }) => `${state}: ${subject}`)
}

test('the permit router must be there, and Permit2 should', async () => {
  const { permitRouter, chain } = deployment
  expect(await findings({ permitRouter })).toEqual(['warning: local-31145 Permit2'])
  await placePermit2(chain)
  expect(await findings({ permitRouter })).toEqual([])
  expect(await findings({ permitRouter: `0x${randomBytes(20).toString('hex')}` })).toEqual([
    'fault: local-31145 permit router',
  ])
})

test('F145: a permit router without an origin key is told, with what to set', async () => {
  const senders = async (originSender?: string) => {
    const rpc = [{ http: deployment.chain.rpcUrl }]
    const { permitRouter } = deployment
    const sender = originSender === undefined ? {} : { originSender }
    const adapter = deployment.adapter({ rpc, options: { permitRouter }, ...sender })
    const found = await adapter.diagnose({ timeoutMs: 5_000, allocator: null })
    return found.filter(({ check }) => check === 'origin key')
  }
  expect(await senders()).toEqual([
    {
      check: 'origin key',
      subject: 'local-31145',
      state: 'warning',
      message: 'permits are not offered on local-31145: no key sends them',
      remedy: expect.stringMatching(/^Set keys\.origin\.31145, or "originSender" of the chain/),
    },
  ])
  expect(await senders(`0x${'5e'.repeat(20)}`)).toMatchObject([{ state: 'ok' }])
})

test('a router of another depository or Permit2, or another contract, is a fault before anybody signs', async () => {
  const { chain, swapRouter, depository, permitRouter } = deployment
  const stranger = getAddress(`0x${randomBytes(20).toString('hex')}`)
  const deploy = (...args: readonly string[]) =>
    chain.deploy(
      permitRouterAbi,
      permitRouterBytecode,
      args.map((each) => getAddress(each)),
    )
  const foreign = [await deploy(stranger, CANONICAL_PERMIT2), await deploy(depository, stranger), swapRouter]
  for (const router of foreign) {
    expect(await findings({ permitRouter: router })).toEqual(['fault: local-31145 signed deposits'])
  }
  expect(await findings({ permitRouter, permit2: depository })).toEqual(['fault: local-31145 signed deposits'])
})
