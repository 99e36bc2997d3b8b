import type { Diagnosis } from '@causeway/core/chain'
import { type CurrencyDifference, compareChain } from '@causeway/core/host'
import type { Chain, ChainHold, ChainRegistry } from '@causeway/core/plugin'
import type { Logger } from 'pino'
import type { ConfigProblem } from '../../config/configProblem.js'

export interface ChainChecksDeps {
  readonly chains: ChainRegistry
  /** Address that the depository of a chain must obey; null where this deployment does not know it yet. */
  allocatorOf(chain: Chain): string | null
  readonly log: Logger
}

const UNCHECKED: ChainHold = {
  kind: 'unchecked',
  message: 'None of its nodes has confirmed its currencies and contracts yet. Try again later.',
}

/**
 * Compares chains with the configuration before anything is quoted or decided on them (architecture.md 2, Start and stop). A chain is on
 * hold until a node answered the comparison, and for as long as the two differ: where several providers are configured, as most of them say.
 */
export class ChainChecks {
  readonly #deps: ChainChecksDeps
  /** Faults of each chain that were logged last. */
  readonly #logged = new Map<number, string>()
  /** Differences of each chain that a minority of its providers showed last. */
  readonly #doubted = new Map<number, string>()
  /** Chains whose nodes did not answer the last comparison. */
  readonly #unanswered = new Set<number>()

  constructor(deps: ChainChecksDeps) {
    this.#deps = deps
  }

  /** Holds every chain until `check` releases it. */
  holdAll(): void {
    for (const { config } of this.#deps.chains.all()) this.#deps.chains.hold(config.id, UNCHECKED)
  }

  /** Compares one chain; returns how its currencies differ. A node that does not answer leaves the chain on hold. */
  async check(chain: Chain): Promise<readonly ConfigProblem[]> {
    const { chains, allocatorOf, log } = this.#deps
    const { id, slug } = chain.config
    try {
      const expected = { allocator: allocatorOf(chain) }
      const { currencies: differences, contracts, doubted } = await compareChain(chain, expected)
      this.#doubt(chain, doubted)
      const wrong = differences.filter(({ state }) => state === 'fault')
      const faults = [...wrong.map((item) => textOf(chain, item)), ...contracts.filter(isFault).map(faultText)]
      this.#hold(chain, faults)
      for (const item of differences.filter(({ state }) => state === 'warning'))
        log.warn({ chain: slug }, `${textOf(chain, item)} ${item.remedy}`)
      const at = chains.all().indexOf(chain)
      return wrong.map((item) => problemOf(chain, at, item))
    } catch (error) {
      // A chain that was compared before stays as it is.
      if (chains.holdOf(id)?.kind !== 'unchecked') return []
      if (!this.#unanswered.has(id))
        log.error({ chain: slug, err: error }, 'a chain could not be compared with the configuration; it is on hold')
      this.#unanswered.add(id)
      return []
    }
  }

  #doubt({ config: { id, slug } }: Chain, doubted: readonly string[]): void {
    const text = doubted.join(' ')
    if (text === (this.#doubted.get(id) ?? '')) return
    this.#doubted.set(id, text)
    if (doubted.length > 0)
      this.#deps.log.warn(
        { chain: slug, doubted },
        'a minority of the providers of a chain contradicts the configuration',
      )
  }

  #hold(chain: Chain, faults: readonly string[]): void {
    const { chains, log } = this.#deps
    const { id, slug } = chain.config
    const text = faults.join(' ')
    const wasUnanswered = this.#unanswered.delete(id)
    chains.hold(id, faults.length === 0 ? null : { kind: 'refused', message: text })
    if (text === (this.#logged.get(id) ?? '') && !wasUnanswered) return
    this.#logged.set(id, text)
    if (faults.length > 0)
      log.error({ chain: slug, faults }, 'a chain contradicts the configuration: it is not quoted and decides nothing')
    else log.info({ chain: slug }, 'a chain is as the configuration says: it is served')
  }
}

const isFault = ({ state }: Diagnosis): boolean => state === 'fault'

const faultText = ({ subject, message }: Diagnosis): string => `${subject}: ${message}.`

/** "USDC (0x...) of base has 6 decimals on the chain, ...". */
export const textOf = ({ config }: Chain, { at, message }: CurrencyDifference): string => {
  const { symbol, address } = config.currencies[at] ?? { symbol: '', address: '' }
  return `${symbol} (${address}) of ${config.slug} ${message}`
}

const problemOf = (chain: Chain, chainAt: number, difference: CurrencyDifference): ConfigProblem => ({
  path: `chains[${chainAt}].currencies[${difference.at}].${difference.field}`,
  message: `is wrong: ${textOf(chain, difference)}`,
  remedy: difference.remedy,
})
