import type { Hex } from '@causeway/core'
import { type FeeQuote, feeQuoteCache } from '@causeway/core/chain'
import { exchanged } from '@causeway/core/plugin'
import type { LaneContext } from '../laneContext.js'

/** Stands in for the order of any deposit; no fee depends on it. */
const ANY_ORDER: Hex = `0x${'ff'.repeat(32)}`

/** Network cost of withdrawing a deposit from the depository, in the deposit's currency. */
export class WithdrawalCosts {
  readonly #lane: LaneContext
  readonly #fees: ReturnType<typeof feeQuoteCache>

  constructor(lane: LaneContext) {
    this.#lane = lane
    this.#fees = feeQuoteCache(lane.clock)
  }

  /** Smallest unit, rounded up. Null: a currency that the solver does not hold. Throws ServiceError where chain or prices cannot be asked. */
  async of(currency: string): Promise<bigint | null> {
    const { chain, currencies, prices } = this.#lane
    const native = currencies.native(chain.config.id)
    const into = currencies.find(chain.config.id, currency)
    if (native === undefined || into === undefined) return null
    const { network, currencyFee = 0n } = await this.#fees.get(currency, () => this.#estimate(currency))
    if (native.address === into.address) return network.amount + currencyFee
    const [nativePrice, price] = await prices.get([native, into])
    if (nativePrice === undefined || price === undefined) return null
    const money = { currency: native, amount: network.amount }
    return exchanged(money, nativePrice.usd, { currency: into, price: price.usd }, 'up') + currencyFee
  }

  #estimate(currency: string): Promise<FeeQuote> {
    const { chain, address } = this.#lane
    return chain.adapter.estimatePayoutFee({
      ...{ purpose: 'withdraw', orderId: ANY_ORDER, from: address, to: { address }, calls: [] },
      money: { currency, amount: 1n },
    })
  }
}
