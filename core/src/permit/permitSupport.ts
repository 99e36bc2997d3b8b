import type { Chain } from '../chain/chainRegistry.js'
import { PERMIT_KINDS } from '../chain/origin/signedDeposits.js'
import type { Currency } from '../money/currency/currency.js'
import type { PermitHandler } from './permitHandler.js'

const KEEP_MS = 600_000
/** What a chain did not tell is asked again after this. */
const RETRY_MS = 10_000
/** Longest wait of somebody who wants to know, the first time. */
const PATIENCE_MS = 1_000

const NONE: ReadonlySet<string> = new Set()

interface Reading {
  readonly takes: ReadonlySet<string>
  /** By the clock of the process, milliseconds. */
  readonly goodUntil: number
}

export interface PermitSupportDeps {
  /** Of all plugins: where none takes the signatures of permits, no currency has them. */
  readonly handlers: readonly PermitHandler[]
  /** Milliseconds that only grow. */
  now(): number
}

/**
 * Which currencies the solver takes by a signature alone (wire.md F.2 `supportsPermit`). The configuration's word goes first; the rest is learned of each
 * chain once in a while, in one question for all its currencies. Later readings are made while the last one is still told.
 */
export class PermitSupport {
  readonly #now: () => number
  readonly #isTaken: boolean
  readonly #readings = new Map<number, Reading>()
  readonly #asking = new Map<number, Promise<ReadonlySet<string>>>()

  constructor({ handlers, now }: PermitSupportDeps) {
    this.#now = now
    const kinds = new Set(handlers.flatMap((handler) => handler.kinds))
    this.#isTaken = PERMIT_KINDS.some((kind) => kinds.has(kind))
  }

  /**
   * Addresses of those among the currencies of a chain that are taken by signature; none on a chain without a key that sends for users. Never
   * throws: what cannot be learned now is not among them.
   */
  async of(chain: Chain, held: readonly Currency[]): Promise<ReadonlySet<string>> {
    if (chain.config.originSender === undefined) return NONE
    const configured = configuredOf(chain)
    const learned = await this.#learned(
      chain,
      held.filter(({ address, metadata }) => !metadata.isNative && !configured.has(address)),
    )
    return new Set(held.map(({ address }) => address).filter((each) => configured.get(each) ?? learned.has(each)))
  }

  async #learned(chain: Chain, open: readonly Currency[]): Promise<ReadonlySet<string>> {
    const { id, enabled } = chain.config
    if (!this.#isTaken || !enabled || chain.adapter.signedDeposits === undefined || open.length === 0) return NONE
    const reading = this.#readings.get(id)
    if (reading !== undefined && this.#now() < reading.goodUntil) return reading.takes
    const asking = this.#asking.get(id) ?? this.#ask(chain, open)
    return reading?.takes ?? within(asking)
  }

  #ask({ config: { id }, adapter }: Chain, open: readonly Currency[]): Promise<ReadonlySet<string>> {
    const read = async (): Promise<ReadonlySet<string>> => {
      const addresses = open.map(({ address }) => address)
      const last = this.#readings.get(id)?.takes ?? NONE
      try {
        const answers = (await adapter.signedDeposits?.supported(addresses)) ?? []
        const takes = new Set(addresses.filter((_, at) => answers[at] === true))
        this.#readings.set(id, { takes, goodUntil: this.#now() + KEEP_MS })
        return takes
      } catch {
        // No node tells; what was told last stands.
        this.#readings.set(id, { takes: last, goodUntil: this.#now() + RETRY_MS })
        return last
      } finally {
        this.#asking.delete(id)
      }
    }
    const asking = read()
    this.#asking.set(id, asking)
    return asking
  }
}

const configuredOf = ({ config, adapter }: Chain): ReadonlyMap<string, boolean> =>
  new Map(
    config.currencies.flatMap(({ address, supportsPermit }) => {
      const own = adapter.normalizeCurrency(address)
      return supportsPermit === undefined || own === null ? [] : [[own, supportsPermit] as const]
    }),
  )

const within = async (asking: Promise<ReadonlySet<string>>): Promise<ReadonlySet<string>> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<ReadonlySet<string>>((resolve) => {
    timer = setTimeout(() => resolve(NONE), PATIENCE_MS)
  })
  try {
    return await Promise.race([asking, late])
  } finally {
    clearTimeout(timer)
  }
}
