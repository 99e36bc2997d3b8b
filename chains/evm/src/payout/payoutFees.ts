import type { FeeQuote, Payout, Simulation } from '@causeway/core/chain'
import { ZERO_ADDRESS } from '../address/addresses.js'
import type { FeeSource } from './fees/feeSource.js'
import { transactionBytes, typicalGas } from './fees/gasTable.js'

const VALID_MS = 5000

/** Cost of transactions at the current fee level. */
export class PayoutFees {
  readonly #fees: FeeSource

  constructor(fees: FeeSource) {
    this.#fees = fees
  }

  /** Cost of a transaction by its gas and the length of its signed form. */
  async quote(gas: bigint, bytes: number): Promise<FeeQuote> {
    const [level, rollupFee] = await Promise.all([this.#fees.current(), this.#fees.rollupFee(bytes, gas)])
    return { network: { currency: ZERO_ADDRESS, amount: gas * level.expected + rollupFee }, validForMs: VALID_MS }
  }

  /** Cost of a payout: by its simulated gas, else by the gas that is typical for its form. */
  payoutFee(payout: Payout, simulation?: Simulation): Promise<FeeQuote> {
    return this.quote(simulation?.ok ? simulation.gas : typicalGas(payout), transactionBytes(payout))
  }
}
