import type { Chain } from '../chain/chainRegistry.js'
import { PERMIT_KINDS, type PermitWay } from '../chain/origin/signedDeposits.js'
import type { Currency } from '../money/currency/currency.js'
import type { PermitHandler } from './permitHandler.js'

const KEEP_MS = 600_000
/** What a chain did not tell is asked again after this. */
const RETRY_MS = 10_000
/** Longest wait of somebody who wants to know, the first time. */
const PATIENCE_MS = 1_000

/** By address; a currency that is not there is not taken by signature. */
export type PermitWays = ReadonlyMap<string, PermitWay>

const NONE: PermitWays = new Map()

interface Reading {
  readonly takes: PermitWays
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
 * Which currencies the solver takes by a signature, and how (wire.md F.2 `supportsPermit`, `permit2`). The configuration's word goes first; the rest is learned of each
 * chain once in a while, in one question for all its currencies. Later readings are made while the last one is still told.
 */
export class PermitSupport {
  readonly #now: () => number
  readonly #isTaken: boolean
  readonly #readings = new Map<number, Reading>()
  readonly #asking = new Map<number, Promise<PermitWays>>()

  constructor({ handlers, now }: PermitSupportDeps) {
    this.#now = now
    const kinds = new Set(handlers.flatMap((handler) => handler.kinds))
    this.#isTaken = PERMIT_KINDS.some((kind) => kinds.has(kind))
  }

  /**
   * The ways of those among the currencies of a chain that are taken by signature; none on a chain without a key that sends for users. Never
   * throws: what cannot be learned now is not among them.
   */
  async of(chain: Chain, held: readonly Currency[]): Promise<PermitWays> {
    if (chain.config.originSender === undefined) return NONE
    const configured = configuredOf(chain)
    const learned = await this.#learned(
      chain,
      held.filter(({ address, metadata }) => !metadata.isNative && configured.get(address) !== false),
    )
    return new Map(
      held.flatMap(({ address }) => {
        const own = configured.get(address)
        // A configured `true` does not say which way; unread it is the token's own.
        const way = own === false ? undefined : (learned.get(address) ?? (own === true ? 'permit' : undefined))
        return way === undefined ? [] : [[address, way] as const]
      }),
    )
  }

  async #learned(chain: Chain, open: readonly Currency[]): Promise<PermitWays> {
    const { id, enabled } = chain.config
    if (!this.#isTaken || !enabled || chain.adapter.signedDeposits === undefined || open.length === 0) return NONE
    const reading = this.#readings.get(id)
    if (reading !== undefined && this.#now() < reading.goodUntil) return reading.takes
    const asking = this.#asking.get(id) ?? this.#ask(chain, open)
    return reading?.takes ?? within(asking)
  }

  #ask({ config: { id }, adapter }: Chain, open: readonly Currency[]): Promise<PermitWays> {
    const read = async (): Promise<PermitWays> => {
      const addresses = open.map(({ address }) => address)
      const last = this.#readings.get(id)?.takes ?? NONE
      try {
        const answers = (await adapter.signedDeposits?.supported(addresses)) ?? []
        const takes = new Map(
          addresses.flatMap((address, at) => {
            const way = answers[at] ?? null
            return way === null ? [] : [[address, way] as const]
          }),
        )
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

const within = async (asking: Promise<PermitWays>): Promise<PermitWays> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<PermitWays>((resolve) => {
    timer = setTimeout(() => resolve(NONE), PATIENCE_MS)
  })
  try {
    return await Promise.race([asking, late])
  } finally {
    clearTimeout(timer)
  }
}
