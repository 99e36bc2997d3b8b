import { smaller } from '@causeway/core'
import type { FeeQuote, Payout } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import type { XrpSettings } from '../options.js'
import { FEE_CACHE_MS, type FeeSource, feeToOffer } from './feeLevels.js'
import type { TransferRates } from './transferRates.js'

export interface XrpFeesDeps {
  readonly fees: FeeSource
  readonly rates: TransferRates
  readonly settings: Pick<XrpSettings, 'maxFeeDrops' | 'depository'>
}

/** Costs of deposits and payments: the network's fee by its load, and the issuer's part of a transfer (chains.md xrpvm 7). */
export class XrpFees {
  readonly #deps: XrpFeesDeps

  constructor(deps: XrpFeesDeps) {
    this.#deps = deps
  }

  /** Drops that one transaction offers now. @throws ServiceError when no node answers */
  async fee(): Promise<bigint> {
    const { fees, settings } = this.#deps
    return feeToOffer(await fees.levels(), settings.maxFeeDrops) ?? settings.maxFeeDrops
  }

  /** The cost of a deposit for its user. All of it arrives: the issuer's part is spent on top, as the payment's own `SendMax` says. */
  depositFee(): Promise<FeeQuote> {
    return this.#quote(0n)
  }

  payoutFee({ from, to, money, purpose }: Payout): Promise<FeeQuote> {
    const { rates, settings } = this.#deps
    const payer = purpose === 'withdraw' ? settings.depository : from
    return this.#quote(rates.feeOf({ from: payer, to: to.address, ...money }))
  }

  async #quote(taken: bigint | Promise<bigint>): Promise<FeeQuote> {
    const { fees, settings } = this.#deps
    const [levels, currencyFee] = await Promise.all([fees.levels(), taken])
    const { maxFeeDrops } = settings
    const amount = feeToOffer(levels, maxFeeDrops) ?? smaller(levels.least, maxFeeDrops)
    return {
      network: { currency: NATIVE, amount },
      ...(currencyFee === 0n ? {} : { currencyFee }),
      validForMs: FEE_CACHE_MS,
    }
  }
}
