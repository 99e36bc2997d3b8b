import type { Clock } from '@causeway/core'
import { type FeeQuote, feeQuoteCache, type PermitKind, type SignedDeposits } from '@causeway/core/chain'

/** What bringing a permit in costs now, asked of each chain once in a while. */
export class PermitFees {
  readonly #fees: ReturnType<typeof feeQuoteCache>

  constructor(clock: Clock) {
    this.#fees = feeQuoteCache(clock)
  }

  of(chainId: number, permits: SignedDeposits, currency: string, kind: PermitKind): Promise<FeeQuote> {
    return this.#fees.get(`${chainId}:${currency}:${kind}`, () => permits.fee(currency, kind))
  }
}
