import type { Diagnosis } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HBAR, type HederaWorld, newKey, openHederaWorld } from '../hederaWorld.test.support.js'
import { accountIdOf } from '../testing/engine/values.js'

let world: HederaWorld

beforeAll(async () => {
  world = await openHederaWorld()
  await world.chain.fund(world.vault.address, HBAR)
}, 60_000)

afterAll(() => world?.chain.close())

const run = async (
  options: Parameters<HederaWorld['adapterOver']>[0] = {},
  rpc: Parameters<HederaWorld['adapterOver']>[1] = [world.endpoint],
  allocator: string | null = world.vault.address,
): Promise<readonly Diagnosis[]> => {
  const adapter = world.adapterOver(options, rpc)
  await world.chain.advance()
  try {
    return await adapter.diagnose({ timeoutMs: 2000, allocator })
  } finally {
    await adapter.stop()
  }
}

const wrong = (found: readonly Diagnosis[]) =>
  found.filter(({ state }) => state === 'fault').map(({ check, subject }) => `${subject}: ${check}`)

test('all is well: every check says so, and no text shows a URL', async () => {
  const found = await run()
  expect(found.filter(({ state }) => state !== 'ok')).toEqual([])
  expect(found.map(({ check }) => check)).toEqual([
    ...['rpc', 'rpc head', 'rpc history', 'allocator'],
    ...['account', 'token TOK', 'account', 'token TOK'],
  ])
  expect(JSON.stringify(found)).not.toContain('127.0.0.1')
})

test('each planted fault is found and has a remedy', async () => {
  const other = newKey().address
  const own = 'local-hedera depository'
  const [closed, poor] = [newKey(), newKey()]
  await world.open(closed, { receiverSigRequired: true, maxAutomaticTokenAssociations: -1, initialBalance: 5 })
  await world.open(poor)
  const cases = [
    { expected: ['local-hedera / local: rpc chain id'], of: await run({ genesisHash: `0x${'00'.repeat(48)}` }) },
    { expected: ['local-hedera / endpoint 1: rpc'], of: await run({}, [{ http: 'http://127.0.0.1:1' }]) },
    { expected: [`${own}: allocator`], of: await run({}, undefined, other) },
    { expected: [`${own}: account`], of: await run({ depository: other }, undefined, other) },
    {
      expected: [`${own}: account flags`, `${own}: token TOK`],
      of: await run({ depository: closed.address }, undefined, closed.address),
    },
    {
      expected: [`${own}: account`, `${own}: token TOK`],
      of: await run({ depository: poor.address }, undefined, poor.address),
    },
  ]
  for (const { expected, of } of cases) {
    expect(wrong(of)).toEqual(expected)
    for (const { state, remedy } of of) if (state === 'fault') expect(remedy).toMatch(/\.$/)
  }
})

test('a deposit account that refuses deposits stops quotes', async () => {
  const adapter = world.adapterOver()
  await adapter.start(new AbortController().signal)
  const faults = async () =>
    (await adapter.verifyContracts({ allocator: null })).filter(({ state }) => state === 'fault')
  expect(await faults()).toEqual([])
  await world.made({
    cryptoUpdateAccount: {
      accountIDToUpdate: accountIdOf(world.depositoryId),
      receiverSigRequiredWrapper: { value: true },
    },
  })
  expect(await faults()).toMatchObject([{ subject: 'local-hedera depository', check: 'account flags' }])
  await adapter.stop()
})
