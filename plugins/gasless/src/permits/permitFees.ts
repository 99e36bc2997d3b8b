import { BoundedCache, type Clock } from '@causeway/core'
import type { FeeQuote, PermitKind, SignedDeposits } from '@causeway/core/chain'

const MAX_ENTRIES = 2_000
/** Longest use of one fee; the chain may say less. */
const LONGEST_MS = 5_000

/** What bringing a permit in costs now, asked of each chain once in a while. */
export class PermitFees {
  readonly #fees: BoundedCache<FeeQuote>

  constructor(clock: Clock) {
    const lifeOf = ({ validForMs }: FeeQuote) => Math.min(validForMs, LONGEST_MS)
    this.#fees = new BoundedCache({ clock, maxEntries: MAX_ENTRIES, lifeOf })
  }

  of(chainId: number, permits: SignedDeposits, currency: string, kind: PermitKind): Promise<FeeQuote> {
    return this.#fees.get(`${chainId}:${currency}:${kind}`, () => permits.fee(currency, kind))
  }
}
