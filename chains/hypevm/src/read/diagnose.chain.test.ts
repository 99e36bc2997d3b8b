import type { Diagnosis } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HypeWorld, newKey, openHypeWorld } from '../hypeWorld.test.support.js'
import { SPOT_USDC } from '../options.js'

let world: HypeWorld
beforeAll(async () => {
  world = await openHypeWorld()
}, 60_000)
afterAll(() => world?.chain.close())

const run = async (
  options: Parameters<HypeWorld['adapterOver']>[0] = {},
  allocator = world.vault.address,
): Promise<readonly Diagnosis[]> => {
  const adapter = world.adapterOver(options)
  await world.chain.advance(1)
  try {
    return (await adapter.diagnose?.({ timeoutMs: 2000, allocator })) ?? []
  } finally {
    await adapter.stop()
  }
}

const wrong = (found: readonly Diagnosis[]) =>
  found.filter(({ state }) => state === 'fault').map(({ check, subject }) => `${subject}: ${check}`)

test('all is well, and no text shows a URL', async () => {
  const found = await run()
  expect(wrong(found)).toEqual([])
  expect(JSON.stringify(found)).not.toContain('127.0.0.1')
})

test('each planted fault is found and has a remedy', async () => {
  const [missing, vault, unified] = [newKey().address, newKey().address, newKey().address]
  for (const address of [vault, unified]) await world.chain.open(address)
  await world.chain.setRole(vault, 'vault')
  await world.chain.unify(unified)
  const own = 'local-hyperliquid depository'
  const cases = [
    { expected: ['local-hyperliquid / local: rpc chain id'], of: await run({ spotUsdc: SPOT_USDC.mainnet }) },
    { expected: [`${own}: allocator`], of: await run({}, missing) },
    { expected: [`${own}: account`], of: await run({ depository: missing }, missing) },
    { expected: [`${own}: account flags`], of: await run({ depository: vault }, vault) },
    { expected: [`${own}: account mode`], of: await run({ depository: unified }, unified) },
  ]
  for (const { expected, of } of cases) {
    expect(wrong(of)).toEqual(expected)
    for (const { state, remedy } of of) if (state === 'fault') expect(remedy).toMatch(/\.$/)
  }
})
