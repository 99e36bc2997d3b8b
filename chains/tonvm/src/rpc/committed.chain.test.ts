import { Address } from '@ton/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { internalMessage } from '../testing/engine/internalMessage.js'
import { startTestedTon, type TestedTon } from '../testing/testedTon.test.support.js'
import type { TonApi } from './tonApi.js'
import { Toncenter } from './toncenter.js'
import { TonV4 } from './tonV4.js'

/** More than one page of a block. */
const PAYMENTS = 300
const { signal } = new AbortController()
const account = (byte: number) => new Address(0, Buffer.alloc(32, byte))

let network: TestedTon
let apis: readonly TonApi[]

beforeAll(async () => {
  network = await startTestedTon()
  const deps = { url: network.chain.endpoint.http, timeoutMs: 20_000 }
  apis = [new Toncenter(deps), new TonV4(deps)]
}, 120_000)

afterAll(async () => {
  for (const api of apis ?? []) api.close()
  await network?.close()
})

it('nodes of both protocols list all transactions that a masterchain block commits, and no other', async () => {
  const [from, to] = [account(1), account(2)]
  await network.chain.apply(internalMessage(from, account(3), 1_000_000n))
  await network.chain.apply(...Array.from({ length: PAYMENTS }, () => internalMessage(from, to, 1_000_000n)))
  const height = BigInt(await network.chain.height())
  const [one, other] = await Promise.all(apis.map((api) => api.committed(height, signal)))
  expect(one).toHaveLength(PAYMENTS)
  expect(other).toEqual(one)
  expect(new Set(one?.map(({ address }) => address))).toEqual(new Set([to.toRawString()]))
  const last = one?.at(-1)
  const state = await apis[0]?.account(to.toRawString(), height, signal)
  expect(state?.last).toEqual({ lt: last?.lt, hash: last?.hash })
})

it('a block that a node lacks is an error, never an empty list', async () => {
  const height = BigInt(await network.chain.height()) + 5n
  for (const api of apis) await expect(api.committed(height, signal)).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
})
