import { ServiceError } from '@causeway/core'
import type { FeeQuote, Payout, Simulation } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import { costOf, PRICE_VALID_MS, type PriceSource, type Usage } from './prices.js'

/** Gas, messages and bodies of each kind of payment, measured with the contracts of wallets v5r1 and jettons of TEP-74. */
const TRANSFER: Usage = { gas: 4939n, messages: 2n, bits: 2500n, cells: 6n }
const JETTON_TRANSFER: Usage = { gas: 20_000n, messages: 5n, bits: 9000n, cells: 25n }
/** The request of a deposit address's wallet: its gas and the message that it sends. */
const CARRIED: Usage = { gas: 8000n, messages: 1n, bits: 1500n, cells: 5n }
/** The wallet's code, in the message that carries the request. */
const CODE: Usage = { gas: 0n, messages: 0n, bits: 10_000n, cells: 45n }

export type PaymentKind = 'native' | 'jetton'

export const kindOf = (currency: string): PaymentKind => (currency === NATIVE ? 'native' : 'jetton')

/** Costs of deposits and payments by the prices of the network (chains.md tonvm 7). */
export class TonFees {
  constructor(readonly prices: PriceSource) {}

  /**
   * Nanotons that one payment really costs.
   * @param isCarried whether a deposit address pays by a request that the payment carries
   * @throws ServiceError when no node answers
   */
  async cost(kind: PaymentKind, isCarried = false): Promise<bigint> {
    const prices = await this.prices.prices()
    const usages = [kind === 'native' ? TRANSFER : JETTON_TRANSFER, ...(isCarried ? [CARRIED, CODE] : [])]
    return usages.reduce((sum, usage) => sum + costOf(usage, prices), 0n)
  }

  /** Nanotons that a message brings for the request which it carries; those of a transfer of jettons come on top. */
  async carriedFee(): Promise<bigint> {
    return costOf(CARRIED, await this.prices.prices())
  }

  depositFee(currency: string): Promise<FeeQuote> {
    return this.#quote(this.cost(kindOf(currency)))
  }

  /** The fee of the sweep of an address with a key of its own. */
  sweepFee(currency: string): Promise<FeeQuote> {
    return this.#quote(this.cost(kindOf(currency), true))
  }

  /** The fee of a payment that was run; else of one of its kind. */
  payoutFee({ money }: Payout, simulation?: Simulation): Promise<FeeQuote> {
    return simulation?.ok && simulation.gas > 0n ? this.#quote(simulation.gas) : this.depositFee(money.currency)
  }

  async #quote(amount: bigint | Promise<bigint>): Promise<FeeQuote> {
    return { network: { currency: NATIVE, amount: await amount }, validForMs: PRICE_VALID_MS }
  }
}

/** @throws ServiceError where the chain has no deposit addresses */
export const requireAddresses = <T>(sweeps: T | null): T => {
  if (sweeps !== null) return sweeps
  throw new ServiceError('SERVICE_UNAVAILABLE', 'This chain has no deposit addresses.')
}
