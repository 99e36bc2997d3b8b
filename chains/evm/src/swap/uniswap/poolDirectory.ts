import { type Clock, type Hex, RecentMap } from '@causeway/core'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import { after, type ChainRead, type ReadPlan, settled } from '../readPlan.js'
import { addressAt } from './answerWords.js'

/** How one pool is found and read. */
export interface PoolQuery<Content> {
  /** Names the pool within its exchange. */
  readonly key: string
  /** Asks the factory for its address. */
  readonly lookup: ChainRead
  /** Its address by the rule of CREATE2. */
  derive(): string
  content(address: string): ReadPlan<Content | null>
  liquidityOf(content: Content): bigint
}

interface Entry {
  /** Null: the factory has no such pool. */
  readonly address: string | null
  /** As last seen. */
  readonly liquidity: bigint
  readonly seenAt: number
}

const MAX_POOLS = 20_000
/** A pool that is missing or empty is looked at again after this long. */
const DEAD_MS = 5 * 60_000

/**
 * Remembers where the pools of one exchange are, and which there are not, so that nobody asks for these again. A pool not
 * asked for before is read where CREATE2 puts it, while the factory is asked in the same round trip whether it is there.
 */
export class PoolDirectory {
  readonly #clock: Clock
  readonly #entries = new RecentMap<string, Entry>(MAX_POOLS)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What the pool holds; null where there is none or it is empty. */
  read<Content>(query: PoolQuery<Content>): ReadPlan<Content | null> {
    const entry = this.#usable(query.key)
    if (entry === null) return settled(null)
    if (entry !== undefined) {
      const { address } = entry
      return after(query.content(address), (content) => this.#seen(query, address, content))
    }
    const derived = query.derive()
    const content = query.content(derived)
    return {
      reads: [query.lookup, ...content.reads],
      finish: ([place, ...answers]) => this.#found(query, { derived, place, content: content.finish(answers) }),
    }
  }

  /** Liquidity last seen in a pool: 0 when it is of no use now, null when it should be looked at. */
  liquidity(key: string): bigint | null {
    const entry = this.#usable(key)
    if (entry === null) return 0n
    return entry === undefined || entry.liquidity === 0n ? null : entry.liquidity
  }

  /** Undefined while nothing is known, null when asking is of no use now. */
  #usable(key: string): (Entry & { readonly address: string }) | null | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    const { address, liquidity, seenAt } = entry
    if ((address === null || liquidity === 0n) && Math.abs(this.#clock.now() - seenAt) < DEAD_MS) return null
    return address === null ? undefined : { address, liquidity, seenAt }
  }

  #found<Content>(
    query: PoolQuery<Content>,
    seen: { readonly derived: string; readonly place: Hex | null | undefined; readonly content: Content | null },
  ): Content | null {
    const address = addressAt(seen.place, 0)
    if (address === null) return null
    if (address === seen.derived) return this.#seen(query, address, seen.content)
    // The creation code of this exchange is not the configured one: its pools serve from the second time on.
    const known = address === ZERO_ADDRESS ? { address: null, liquidity: 0n } : { address, liquidity: 1n }
    this.#remember(query.key, known)
    return null
  }

  #seen<Content>(query: PoolQuery<Content>, address: string, content: Content | null): Content | null {
    // A node that gave no answer says nothing of the pool.
    if (content === null) return null
    const liquidity = query.liquidityOf(content)
    this.#remember(query.key, { address, liquidity })
    return liquidity > 0n ? content : null
  }

  #remember(key: string, pool: Omit<Entry, 'seenAt'>): void {
    this.#entries.set(key, { ...pool, seenAt: this.#clock.now() })
  }
}
