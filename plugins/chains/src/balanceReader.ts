import { BoundedCache, ServiceError } from '@causeway/core'
import { spendableAt } from '@causeway/core/chain'
import type { Chain } from '@causeway/core/plugin'

export interface BalanceReaderDeps {
  /** How long a balance is shown again, milliseconds. */
  readonly keepMs: number
  /** Milliseconds that only grow. */
  now(): number
}

interface Query {
  readonly address: string
  readonly currency: string
}

interface Waiting extends Query {
  resolve(amount: bigint): void
  reject(error: unknown): void
}

interface ChainQueue {
  waiting: Waiting[]
  asking: boolean
}

/** Most balances in one call, and most that may wait for the next: what is asked beyond that is refused. */
const MAX_BATCH = 50
const MAX_WAITING = 200
const MAX_KEPT = 2_000

/**
 * Balances for show, without what a chain keeps of them. Each chain is asked by one batched call at a time; what is wanted meanwhile goes into the next one, and
 * an answer is kept for a few seconds, so that callers without a key cannot make the service ask its nodes without bound.
 */
export class BalanceReader {
  readonly #cache: BoundedCache<bigint>
  readonly #queues = new Map<number, ChainQueue>()

  constructor({ keepMs, now }: BalanceReaderDeps) {
    this.#cache = new BoundedCache({ clock: { now }, maxEntries: MAX_KEPT, lifeOf: () => keepMs })
  }

  /** Balances in the order asked. Throws ServiceError when no node answers or too many wait already. */
  read(chain: Chain, queries: readonly Query[]): Promise<bigint[]> {
    return Promise.all(
      queries.map((query) =>
        this.#cache.get(`${chain.config.id}:${query.currency}:${query.address}`, () => this.#wait(chain, query)),
      ),
    )
  }

  #wait(chain: Chain, query: Query): Promise<bigint> {
    const queue = this.#queues.get(chain.config.id) ?? { waiting: [], asking: false }
    this.#queues.set(chain.config.id, queue)
    if (queue.waiting.length >= MAX_WAITING) {
      const error = new ServiceError('SERVICE_UNAVAILABLE', 'Too many balances are asked for at once. Try again.')
      return Promise.reject(error)
    }
    return new Promise((resolve, reject) => {
      queue.waiting.push({ ...query, resolve, reject })
      // The rest of the queries asked in this turn join the same call.
      if (!queue.asking) queueMicrotask(() => void this.#drain(chain, queue))
    })
  }

  async #drain(chain: Chain, queue: ChainQueue): Promise<void> {
    if (queue.asking) return
    queue.asking = true
    while (queue.waiting.length > 0) {
      const batch = queue.waiting.splice(0, MAX_BATCH)
      try {
        const balances = await chain.adapter.getBalances(batch.map(({ address, currency }) => ({ address, currency })))
        // For show: of a token that does not tell nothing can be promised.
        for (const [at, { resolve }] of batch.entries()) resolve(spendableAt(balances, at) ?? 0n)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    queue.asking = false
  }
}
