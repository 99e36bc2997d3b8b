import type { BlockRef, EndpointHealth } from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import { ChainRegistry } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainOf } from '../chainStandIn.test.support.js'
import { WatcherCursors } from '../watcherCursors.js'
import { ChainHealth } from './chainHealth.js'
import { HeadWatch } from './headWatch.js'

const NOW = 1_800_000_000_000
const head = (height: bigint, ageSeconds = 1): BlockRef => ({ height, hash: '0x01', time: NOW / 1000 - ageSeconds })

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  // Chain 1 has read everything, 2 is 5 blocks behind and stuck, 3 is 101 behind and moving, 4 five behind and moving.
  const cursors = [
    [1, 100, 9_000],
    [2, 95, 61],
    [3, 99, 1],
    [4, 95, 1],
  ] as const
  for (const [chain, height, age] of cursors) {
    await database.pool.query(
      `insert into chain_cursors (chain_id, cursor, height, tip, updated_at) values ($1, '{}', $2, $2, to_timestamp($3))`,
      [chain, height, NOW / 1000 - age],
    )
  }
})
afterAll(() => database?.drop())

const isHealthy = (
  id: number,
  tip: () => Promise<BlockRef>,
  options: {
    readonly enabled?: boolean
    readonly blocks?: number
    readonly closed?: boolean
    readonly endpoints?: EndpointHealth['state'][]
  } = {},
) => {
  const plain = chainOf({ id, enabled: options.enabled ?? true }, tip)
  const { endpoints: states } = options
  const told = states?.map((state, at) => ({ name: `${at}`, provider: `${at}`, state, headAgeMs: 0 }))
  const chain = told === undefined ? plain : { ...plain, adapter: { ...plain.adapter, endpoints: () => told } }
  const clock = { now: () => NOW }
  const now = () => 0
  const listing = () => (options.blocks === undefined ? {} : { laggingAfterBlocks: options.blocks })
  const heads = new HeadWatch({ chains: new ChainRegistry([chain]), clock, listing })
  const cursors = new WatcherCursors({ pool: database.pool, clock, now })
  const chains = new ChainRegistry([chain])
  if (options.closed) chains.setGap(id, { from: null, to: 'Paused.' })
  return new ChainHealth({ chains, heads, cursors, listing, now }).isHealthy(chain)
}

describe('health of a chain (wire.md 4.8)', () => {
  it('takes a young head whose blocks have been read, however long no page was needed', async () => {
    expect(await isHealthy(1, async () => head(100n))).toBe(true)
    expect(await isHealthy(4, async () => head(100n))).toBe(true)
  })

  it('is false with an old head, without a node, when switched off, and while quotes are refused', async () => {
    expect(await isHealthy(1, async () => head(100n, 601))).toBe(false)
    expect(await isHealthy(1, () => Promise.reject(new Error('away')))).toBe(false)
    expect(await isHealthy(1, async () => head(100n), { enabled: false })).toBe(false)
    expect(await isHealthy(1, async () => head(100n), { closed: true })).toBe(false)
  })

  it('needs one node that can be believed', async () => {
    const tip = async () => head(100n)
    expect(await isHealthy(1, tip, { endpoints: ['down', 'distrusted'] })).toBe(false)
    expect(await isHealthy(1, tip, { endpoints: ['down', 'distrusted', 'ok'] })).toBe(true)
  })

  it('is false when deposits are read late: stuck, too far behind, or never begun', async () => {
    expect(await isHealthy(2, async () => head(100n))).toBe(false)
    expect(await isHealthy(3, async () => head(200n))).toBe(false)
    expect(await isHealthy(3, async () => head(200n), { blocks: 101 })).toBe(true)
    expect(await isHealthy(5, async () => head(100n))).toBe(false)
  })
})
