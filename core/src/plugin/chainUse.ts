import type { Chain } from '../chain/chainRegistry.js'
import { token } from '../container/tokens.js'
import { ServiceError } from '../errors/serviceError.js'

/** How a command asks a chain, whether it runs in a host whose adapters work already or beside the hosts. */
export interface ChainUse {
  /** Whether the adapters of this process run for as long as it does: what they know is from their own watching. */
  readonly isServing: boolean
  /** Does the work while the chain's adapter runs. Throws ServiceError when no node of it answers. */
  withChain<T>(chain: Chain, work: () => Promise<T>): Promise<T>
}

export const CHAIN_USE = token<ChainUse>('core/ChainUse')

/** Of a command beside the hosts: a chain's adapter is started for as long as somebody asks it, and stopped behind the last one. */
export class ChainsForCommands implements ChainUse {
  readonly isServing = false
  readonly #used = new Map<Chain, { users: number; readonly started: Promise<void>; readonly stop: AbortController }>()

  async withChain<T>(chain: Chain, work: () => Promise<T>): Promise<T> {
    const use = this.#used.get(chain) ?? this.#begin(chain)
    use.users += 1
    try {
      await use.started
      return await work()
    } finally {
      use.users -= 1
      if (use.users === 0) {
        this.#used.delete(chain)
        await chain.adapter.stop().catch(() => undefined)
        use.stop.abort()
      }
    }
  }

  #begin(chain: Chain) {
    const stop = new AbortController()
    const use = { users: 0, started: chain.adapter.start(stop.signal), stop }
    this.#used.set(chain, use)
    return use
  }
}

/** Of a serving host: its adapters run already, and nothing that a command does starts or stops one. */
export class ChainsOfHost implements ChainUse {
  readonly isServing = true
  readonly #started = new Set<number>()

  /** The host says so for each chain of which a node answered. */
  noteStarted(chainId: number): void {
    this.#started.add(chainId)
  }

  async withChain<T>({ config }: Chain, work: () => Promise<T>): Promise<T> {
    if (!this.#started.has(config.id)) {
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        `No node of ${config.slug} has answered since this host started; it goes on trying.`,
      )
    }
    return work()
  }
}
