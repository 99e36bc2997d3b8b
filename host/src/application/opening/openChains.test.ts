import { getEventListeners } from 'node:events'
import { ServiceError, systemClock } from '@causeway/core'
import type { ChainDeps, Diagnosis } from '@causeway/core/chain'
import { SqlNonceMappings } from '@causeway/core/host'
import { type Chain, ChainRegistry, type Keys } from '@causeway/core/plugin'
import { pino } from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import type { LoadedConfig } from '../../config/loadConfig.js'
import type { LoadedChain } from '../../plugins/loadPackages.js'
import { ChainChecks } from './chainChecks.js'
import { createChains, finalityProblems, startChains } from './openChains.js'

afterEach(() => void vi.useRealTimers())

/** A chain as far as starting goes: like every adapter it listens for its end, then looks for its nodes. */
const chain = (id: number, reachable: () => boolean) => {
  const stopped = vi.fn()
  const start = async (signal: AbortSignal): Promise<void> => {
    signal.addEventListener('abort', () => stopped(), { once: true })
    if (!reachable()) throw new Error('nobody answers')
  }
  const config = { id, slug: `chain-${id}`, rpc: [{ http: 'http://a' }], confirmations: { fill: 1 } }
  // CAST: starting looks at nothing else of a chain.
  return { chain: { config, adapter: { start } } as unknown as Chain, stopped }
}

it('a chain that is away for long is tried again without listening once more each time, and all hear of the end', async () => {
  vi.useFakeTimers()
  let away = true
  const lost = chain(99, () => !away)
  const others = Array.from({ length: 12 }, (_, id) => chain(id, () => true))
  const chains = new ChainRegistry([...others, lost].map((item) => item.chain))
  const warned = vi.fn()
  process.on('warning', warned)
  const stop = new AbortController()
  await startChains(chains, { log: pino({ level: 'silent' }) }, stop.signal)
  const listening = () => getEventListeners(stop.signal, 'abort').length
  const first = listening()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(listening()).toBe(first)
  away = false
  await vi.advanceTimersByTimeAsync(5_000)
  expect(listening()).toBe(13)
  vi.useRealTimers()
  await new Promise((resolve) => setImmediate(resolve))
  expect(warned).not.toHaveBeenCalled()
  process.off('warning', warned)
  stop.abort()
  for (const { stopped } of [...others, lost]) expect(stopped).toHaveBeenCalled()
})

it('F155: a chain that is served is compared again, and is on hold while it differs; a node that is away changes nothing', async () => {
  vi.useFakeTimers()
  const { chain: served } = chain(7, () => true)
  let answer: () => readonly Diagnosis[] = () => []
  const verifyContracts = async () => answer()
  // CAST: comparing asks nothing else of a chain without currencies.
  Object.assign(served, {
    config: { ...served.config, currencies: [] },
    adapter: { ...served.adapter, verifyContracts },
  })
  const chains = new ChainRegistry([served])
  const log = pino({ level: 'silent' })
  const checks = new ChainChecks({ chains, allocatorOf: () => null, log })
  checks.holdAll()
  const stop = new AbortController()
  await startChains(chains, { log, checks }, stop.signal)
  expect(chains.holdOf(7)).toBeNull()
  answer = () => {
    throw new ServiceError('RPC_HTTP_ERROR', 'Away.')
  }
  await vi.advanceTimersByTimeAsync(300_000)
  expect(chains.holdOf(7)).toBeNull()
  const message = 'has a trust line without NoRipple'
  answer = () => [{ check: 'rippling', subject: 'seven depository', state: 'fault', message, remedy: 'Set it.' }]
  await vi.advanceTimersByTimeAsync(300_000)
  expect(chains.holdOf(7)).toEqual({ kind: 'refused', message: `seven depository: ${message}.` })
  answer = () => []
  await vi.advanceTimersByTimeAsync(5_000)
  expect(chains.holdOf(7)).toBeNull()
  stop.abort()
  vi.useRealTimers()
})

it.each([
  { settle: 0, absoluteFinality: true, refused: false },
  { settle: 1, absoluteFinality: false, refused: false },
  { settle: 0, absoluteFinality: false, refused: true },
])(
  'settle $settle with absolute finality $absoluteFinality: refused $refused',
  ({ settle, absoluteFinality, refused }) => {
    // CAST: what is looked at of a chain.
    const looked = { config: { confirmations: { settle } }, adapter: { capabilities: { absoluteFinality } } } as Chain
    expect(finalityProblems(looked, 4).map(({ path }) => path)).toEqual(
      refused ? ['chains[4].confirmations.settle'] : [],
    )
  },
)

it('an adapter is given the nonce mappings of the deployment, or none where a command has no database', async () => {
  const given: ChainDeps[] = []
  const create = async (_: unknown, deps: ChainDeps) => {
    given.push(deps)
    return { capabilities: {}, sameAddress: () => true }
  }
  const config = { ...{ id: 1337, slug: 'mapped', options: {}, solver: '0x1' }, confirmations: { settle: 1 } }
  // CAST: what is looked at while adapters are made.
  const [loaded, packages, keys] = [
    { environment: {} } as LoadedConfig,
    [{ chain: config, package: { create } }] as unknown as LoadedChain[],
    { has: () => false } as unknown as Keys,
  ]
  const deps = { clock: systemClock, keys, log: pino({ level: 'silent' }) }
  const nonceMappings = new SqlNonceMappings({ pool: { query: vi.fn() }, clock: systemClock, domainName: 'OurMapping' })
  await createChains(loaded, packages, { ...deps, nonceMappings })
  await createChains(loaded, packages, deps)
  expect(given.map((each) => each.nonceMappings?.domainName)).toEqual(['OurMapping', undefined])
})
