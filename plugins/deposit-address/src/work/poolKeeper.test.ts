import type { ChainAdapter, ChainConfig } from '@causeway/core/chain'
import { ChainRegistry } from '@causeway/core/plugin'
import { expect, it, vi } from 'vitest'
import { PoolKeeper, type PoolKeeperDeps } from './poolKeeper.js'

const chainsWith = (depositAddresses: object): ChainRegistry => {
  const config: Partial<ChainConfig> = { id: 7, enabled: true }
  // CAST: nothing else of a chain is asked.
  return new ChainRegistry([
    { config: config as ChainConfig, adapter: { depositAddresses } as unknown as ChainAdapter },
  ])
}

const runOf = async (chains: ChainRegistry, hasSeed: boolean) => {
  const [warn, lease] = [vi.fn(), vi.fn(async () => undefined)]
  const deps = { chains, keys: { has: () => hasSeed }, leases: { run: lease }, log: { warn }, size: 5 }
  const stopping = new AbortController()
  // CAST: the members that deciding whether to work asks for.
  const ended = new PoolKeeper(deps as unknown as PoolKeeperDeps).run(stopping.signal)
  stopping.abort()
  await ended
  return { warned: warn.mock.calls.length, worked: lease.mock.calls.length }
}

it('works with the seed alone; without it it says so once and waits', async () => {
  expect(await runOf(chainsWith({ pool: {} }), true)).toEqual({ warned: 0, worked: 1 })
  expect(await runOf(chainsWith({ pool: {} }), false)).toEqual({ warned: 1, worked: 0 })
})

it('has nothing to do, and nothing to say, where every chain derives its addresses', async () => {
  expect(await runOf(chainsWith({ derive: () => undefined }), false)).toEqual({ warned: 0, worked: 0 })
})
