import { smaller } from '@causeway/core'
import type { FeeQuote, Payout, Simulation } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import type { XrpSettings } from '../options.js'
import { FEE_CACHE_MS, type FeeSource, feeToOffer } from './feeLevels.js'
import type { TransferRates } from './transferRates.js'

export interface XrpFeesDeps {
  readonly source: FeeSource
  readonly rates: TransferRates
  readonly settings: Pick<XrpSettings, 'maxFeeDrops' | 'depository'>
}

/** What deposits and payments cost: the network's fee by its load, and what an issuer takes of a transfer (chains.md xrpvm 7). */
export class XrpFees {
  readonly #deps: XrpFeesDeps

  constructor(deps: XrpFeesDeps) {
    this.#deps = deps
  }

  /** What a deposit costs its user. All of it arrives: what an issuer takes is spent on top, as the payment's own `SendMax` says. */
  depositFee(): Promise<FeeQuote> {
    return this.#quote(0n)
  }

  /** A payment costs the same whatever it does: nothing of a simulation is needed. */
  payoutFee({ from, to, money, purpose }: Payout, _simulation?: Simulation): Promise<FeeQuote> {
    const { rates, settings } = this.#deps
    const payer = purpose === 'withdraw' ? settings.depository : from
    return this.#quote(rates.feeOf({ from: payer, to: to.address, ...money }))
  }

  async #quote(taken: bigint | Promise<bigint>): Promise<FeeQuote> {
    const { source, settings } = this.#deps
    const [levels, currencyFee] = await Promise.all([source.levels(), taken])
    const { maxFeeDrops } = settings
    const amount = feeToOffer(levels, maxFeeDrops) ?? smaller(levels.least, maxFeeDrops)
    return {
      network: { currency: NATIVE, amount },
      ...(currencyFee === 0n ? {} : { currencyFee }),
      validForMs: FEE_CACHE_MS,
    }
  }
}
