import { ServiceError } from '@causeway/core'
import type { BlockRef, EndpointHealth } from '@causeway/core/chain'
import { coreMigrations, raiseProviderAlert } from '@causeway/core/host'
import { type Chain, ChainRegistry, ChainsForCommands, ChainsOfHost, type ChainUse } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainsStatusCommand } from './chainsCommand.js'
import { type ChainsStatusDeps, readChains } from './chainsReport.js'
import { Heads } from './heads.js'

const NOW = Date.UTC(2026, 10, 28, 12)
const head = (height: bigint, ageSeconds = 4): BlockRef => ({ height, hash: '0x01', time: NOW / 1000 - ageSeconds })

/** An adapter that counts what is asked of it; heads of its endpoints are compared once it was started. */
class StandIn {
  started = 0
  stopped = 0
  tips = 0
  onHead: ((head: BlockRef) => void) | null = null
  readonly chain: Chain
  readonly #endpoints: readonly EndpointHealth[]

  constructor(id: number, slug: string, endpoints: readonly EndpointHealth[], tip: BlockRef | null = head(1_000n)) {
    this.#endpoints = endpoints
    const rpc = endpoints.map(({ provider }) => ({ http: `https://${provider}.example/secret-key`, provider }))
    const adapter = {
      vmType: 'evm',
      capabilities: {},
      start: async () => {
        if (tip === null) throw new ServiceError('RPC_HTTP_ERROR', 'No node of this chain answers.')
        this.started += 1
      },
      stop: async () => {
        this.stopped += 1
      },
      tip: async () => {
        this.tips += 1
        if (tip === null) throw new ServiceError('RPC_HTTP_ERROR', 'No node of this chain answers.')
        return tip
      },
      onHead: (listener: (found: BlockRef) => void) => {
        this.onHead = listener
      },
      endpoints: () => (this.started > 0 || this.onHead !== null ? this.#endpoints : []),
    }
    // CAST: what the report reads of a chain.
    this.chain = {
      config: { id, slug, name: slug, enabled: true, rpc, quorum: [{ aboveUsd: '0', agreeing: 2 }] },
      adapter,
    } as unknown as Chain
  }
}

const endpoint = (name: string, more: Partial<EndpointHealth> = {}): EndpointHealth => ({
  name,
  provider: name,
  state: 'ok',
  headAgeMs: 4_000.4,
  head: '1000',
  ...more,
})

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  const { pool } = database
  await pool.query(
    `insert into chain_cursors (chain_id, cursor, height, tip, updated_at) values (1, '{}', 990, 990, to_timestamp($1))`,
    [NOW / 1000 - 7],
  )
  await pool.query(
    `insert into chain_halts (chain_id, height, replaced, settle, halted_at) values (2, 500, 40, 12, to_timestamp($1))`,
    [NOW / 1000 - 3_600],
  )
  const alert = { chainId: 1, kind: 'endpoint-distrusted', subject: 'three', details: 'Another hash at 980.' } as const
  await raiseProviderAlert(pool, alert, NOW - 60_000)
})
afterAll(() => database?.drop())

const world = () => {
  const lies = { state: 'distrusted', head: '5000', reason: 'Its newest block is far ahead of the others.' } as const
  const harbor = new StandIn(1, 'harbor', [endpoint('one'), endpoint('two', { head: '997' }), endpoint('three', lies)])
  const away = { state: 'down', reason: 'It does not answer.', headAgeMs: null } as const
  const { head: _, ...silent } = endpoint('four', away)
  return { harbor, lagoon: new StandIn(2, 'lagoon', [silent], null) }
}

const depsOf = (use: ChainUse, stands: readonly StandIn[], heads = new Heads()): ChainsStatusDeps =>
  // CAST: what the report uses.
  ({
    pool: database.pool,
    clock: { now: () => NOW },
    chains: new ChainRegistry(stands.map(({ chain }) => chain)),
    withChain: (chain: Chain, work: () => Promise<unknown>) => use.withChain(chain, work),
    isServing: use.isServing,
    heads,
  }) as unknown as ChainsStatusDeps

describe('chains status', () => {
  it('beside the hosts starts each chain once, asks it once and stops it; one that is away does not stop the others', async () => {
    const { harbor, lagoon } = world()
    const { chains } = await readChains(depsOf(new ChainsForCommands(), [harbor, lagoon]))
    expect([harbor.started, harbor.stopped, harbor.tips, lagoon.stopped]).toEqual([1, 1, 1, 1])
    expect(chains[0]).toEqual({
      ...{ chainId: 1, slug: 'harbor', name: 'harbor', vmType: 'evm', enabled: true, reachable: true, why: null },
      head: { height: '1000', at: '2026-11-28T11:59:56.000Z', ageSeconds: 4 },
      endpoints: [
        { name: 'one', provider: 'one', state: 'ok', head: '1000', behind: '0', headAgeMs: 4_000, reason: null },
        { name: 'two', provider: 'two', state: 'ok', head: '997', behind: '3', headAgeMs: 4_000, reason: null },
        {
          ...{ name: 'three', provider: 'three', state: 'distrusted', head: '5000', behind: '0', headAgeMs: 4_000 },
          reason: 'Its newest block is far ahead of the others.',
        },
      ],
      quorum: { trusted: 2, needed: 2, holds: true },
      watcher: { height: '990', lagBlocks: '10', ageSeconds: 7 },
      halt: null,
      alerts: [
        {
          ...{ kind: 'endpoint-distrusted', subject: 'three', details: 'Another hash at 980.', count: 1 },
          firstSeen: '2026-11-28T11:59:00.000Z',
        },
      ],
    })
    expect(chains[1]).toMatchObject({
      reachable: false,
      why: 'No node of this chain answers.',
      head: null,
      watcher: null,
      halt: { replaced: '40', requests: 0, payouts: 0 },
      alerts: [],
    })
  })

  it('in a serving host starts and stops nothing and asks no node once it has seen a block', async () => {
    const { harbor, lagoon } = world()
    const use = new ChainsOfHost()
    use.noteStarted(1)
    const heads = new Heads()
    const deps = depsOf(use, [harbor, lagoon], heads)
    heads.follow(deps.chains)
    harbor.onHead?.(head(1_234n, 1))
    const { chains } = await readChains(deps)
    expect(chains[0]).toMatchObject({ head: { height: '1234' }, watcher: { lagBlocks: '244' } })
    expect(chains[1]).toMatchObject({ reachable: false, why: expect.stringContaining('since this host started') })
    expect([harbor.started, harbor.stopped, harbor.tips, lagoon.tips]).toEqual([0, 0, 0, 0])
    heads.stop()
  })

  it('says it in lines too, without a URL', async () => {
    const { harbor, lagoon } = world()
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    await chainsStatusCommand(depsOf(new ChainsForCommands(), [harbor, lagoon])).run({
      arguments: [],
      options: {},
      print,
    })
    const text = lines.join(' ').replaceAll(/ +/g, ' ')
    for (const part of ['two: ok, block 997, 3 behind', 'three: distrusted', 'HALTED since', 'NOT REACHABLE', 'ALERT'])
      expect(text).toContain(part)
    expect(text).not.toMatch(/secret-key|https:/)
    expect(lines.filter((line) => line.length > 100)).toEqual([])
  })
})
