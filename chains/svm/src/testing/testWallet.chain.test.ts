import { afterAll, beforeAll, expect, it } from 'vitest'
import { alice, fresh, pay, startTestedChain, type TestedChain } from './testedChain.test.support.js'
import { SvmReader } from './testWallet.js'

let tested: TestedChain

beforeAll(async () => {
  tested = await startTestedChain()
})
afterAll(() => tested?.chain.close())

it('tells of a transaction that is older than the statuses which a node keeps at hand', async () => {
  const { chain } = tested
  const from = tested.account(alice)
  const signature = await chain.send(from, [pay(from, fresh(), 1e9)])
  await chain.advance(200)
  expect((await chain.connection.getSignatureStatuses([signature])).value).toEqual([null])
  const reader = new SvmReader({ chainId: 1, endpoint: { http: chain.rpcUrl, ws: chain.wsUrl } })
  expect(await reader.succeeded(signature)).toBe(true)
})
