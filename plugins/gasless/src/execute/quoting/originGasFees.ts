import type { Clock } from '@causeway/core'
import { feeQuoteCache } from '@causeway/core/chain'
import type { Chain } from '@causeway/core/plugin'

/** Stands in for what a quote does not know yet; no fee depends on it. */
const ANY_ORDER = `0x${'ff'.repeat(32)}` as const

/** What gas of the origin costs now, asked of each chain once in a while. */
export class OriginGasFees {
  readonly #fees: ReturnType<typeof feeQuoteCache>

  constructor(clock: Clock) {
    this.#fees = feeQuoteCache(clock)
  }

  /** Of a deposit that its user would send, native smallest unit. */
  async ofDeposit(
    chain: Chain,
    { user, currency }: { readonly user: string; readonly currency: string },
  ): Promise<bigint> {
    const money = { currency, amount: 1n }
    const { network } = await this.#fees.get(`${chain.config.id}:deposit:${currency}`, () =>
      chain.adapter.estimateDepositFee({ from: user, money, orderId: ANY_ORDER, explicitDeposit: true }),
    )
    return network.amount
  }

  /** Of so much gas in a call that is sent for a user. */
  async ofGas(chain: Chain, { sender, gas }: { readonly sender: string; readonly gas: bigint }): Promise<bigint> {
    const { network } = await this.#fees.get(`${chain.config.id}:gas:${gas}`, () =>
      chain.adapter.estimatePayoutFee(
        {
          purpose: 'origin',
          orderId: ANY_ORDER,
          from: sender,
          to: { address: sender },
          money: { currency: chain.adapter.native.address, amount: 0n },
          calls: [],
          call: { to: sender, data: '0x', value: 0n },
        },
        { ok: true, gas, block: 0n },
      ),
    )
    return network.amount
  }
}
