import { smaller } from '@causeway/core'
import type { DepositRequest, FeeQuote, Payout, Simulation } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import type { XrpSettings } from '../options.js'
import { FEE_CACHE_MS, type FeeSource, feeToOffer } from './feeLevels.js'
import type { Transfer, TransferRates } from './transferRates.js'

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

  /** What a deposit costs its user. */
  depositFee({ from, money }: Pick<DepositRequest, 'from' | 'money'>): Promise<FeeQuote> {
    return this.#quote({ from, to: this.#deps.settings.depository, ...money })
  }

  /** A payment costs the same whatever it does: nothing of a simulation is needed. */
  payoutFee({ from, to, money, purpose }: Payout, _simulation?: Simulation): Promise<FeeQuote> {
    const payer = purpose === 'withdraw' ? this.#deps.settings.depository : from
    return this.#quote({ from: payer, to: to.address, ...money })
  }

  async #quote(transfer: Transfer): Promise<FeeQuote> {
    const { source, rates, settings } = this.#deps
    const [levels, currencyFee] = await Promise.all([source.levels(), rates.feeOf(transfer)])
    const { maxFeeDrops } = settings
    const amount = feeToOffer(levels, maxFeeDrops) ?? smaller(levels.least, maxFeeDrops)
    return {
      network: { currency: NATIVE, amount },
      ...(currencyFee === 0n ? {} : { currencyFee }),
      validForMs: FEE_CACHE_MS,
    }
  }
}
