import { setMaxListeners } from 'node:events'
import type { BlockRef } from '../chain/chainReferences.js'
import type { Chain, ChainRegistry } from '../chain/chainRegistry.js'
import type { Clock } from '../clock/clock.js'
import type { MetricSource, Sample } from './metrics.js'
import { providerGauges, providerSamples } from './providerGauges.js'

export interface ChainGaugesDeps {
  readonly chains: ChainRegistry
  readonly clock: Clock
}

/** Gauges of what this process sees of each chain and its nodes, from memory: no node is asked for them. */
export class ChainGauges implements MetricSource {
  readonly name = 'chains'
  readonly gauges
  readonly #deps: ChainGaugesDeps
  readonly #heads = new Map<number, BlockRef>()

  constructor(deps: ChainGaugesDeps) {
    this.#deps = deps
    const chain = deps.chains.all().map(({ config }) => config.slug)
    this.gauges = [
      {
        name: 'causeway_chain_head_age_seconds',
        help: 'Age of the newest block this process has seen; absent until it has seen one',
        labels: { chain },
      },
      {
        name: 'causeway_chain_head_height',
        help: 'Height of the newest block this process has seen',
        labels: { chain },
      },
      {
        name: 'causeway_chain_block_seconds',
        help: 'Usual seconds between blocks where they come far apart; 0: well below a minute',
        labels: { chain },
      },
      ...providerGauges(deps.chains),
    ]
  }

  /** Follows the heads until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController()
    // One listener for each chain, which may be many.
    setMaxListeners(0, stop.signal)
    for (const { config, adapter } of this.#deps.chains.all()) {
      adapter.onHead((head) => void this.#heads.set(config.id, head), stop.signal)
    }
    return new Promise((resolve) => {
      const end = (): void => {
        stop.abort()
        resolve()
      }
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
    })
  }

  async read(): Promise<readonly Sample[]> {
    return this.#deps.chains.all().flatMap((chain) => [
      ...this.#ofHead(chain),
      {
        gauge: 'causeway_chain_block_seconds',
        labels: { chain: chain.config.slug },
        value: chain.adapter.capabilities.headIntervalSeconds ?? 0,
      },
      ...providerSamples(chain),
    ])
  }

  #ofHead({ config }: Chain): Sample[] {
    const head = this.#heads.get(config.id)
    if (head === undefined) return []
    const labels = { chain: config.slug }
    const age = Math.max(0, this.#deps.clock.now() / 1000 - head.time)
    return [
      { gauge: 'causeway_chain_head_age_seconds', labels, value: age },
      { gauge: 'causeway_chain_head_height', labels, value: Number(head.height) },
    ]
  }
}
