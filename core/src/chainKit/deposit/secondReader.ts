import type { ChainDeps } from '../../chain/chainPackage.js'
import { ServiceError } from '../../errors/serviceError.js'

export interface SecondReaderDeps<Endpoint> {
  readonly pool: {
    /** One trusted endpoint of each provider. */
    readonly providers: readonly Endpoint[]
    /** Trusted endpoints, the one that is read from first. */
    ordered(): readonly Endpoint[]
  }
  /** What the chain calls what it reads, such as `Blocks`. */
  readonly unit: string
  readonly logger: ChainDeps['logger']
}

/** Reads a second time, by turns at each provider but the one that is read from, what that one may have left out (faults.md F107). */
export class SecondReader<Endpoint extends { readonly name: string; readonly provider: string }> {
  readonly #deps: SecondReaderDeps<Endpoint>
  #turn = 0

  constructor(deps: SecondReaderDeps<Endpoint>) {
    this.#deps = deps
  }

  /**
   * What the provider whose turn it is answers; the question is asked with null where there is no other one. Null when it does not
   * answer: another one is asked next time.
   */
  async read<Answer>(question: (endpoint: Endpoint | null) => Promise<Answer>): Promise<Answer | null> {
    const endpoint = this.#next()
    try {
      return await question(endpoint)
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      const { logger, unit } = this.#deps
      logger.warn({ endpoint: endpoint?.name, err: error }, `${unit} could not be read a second time`)
      return null
    }
  }

  #next(): Endpoint | null {
    const { pool } = this.#deps
    const [reading] = pool.ordered()
    const others = pool.providers.filter(({ provider }) => provider !== reading?.provider)
    this.#turn += 1
    return others[this.#turn % others.length] ?? null
  }
}
