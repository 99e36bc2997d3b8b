import type { Currency } from '@causeway/core'
import { roundUsd, type Usd, usdValue } from '@causeway/core/plugin'
import type { PricedQuote } from './pricedQuote.js'

/**
 * Dollar values of a quote, each rounded to the six decimals shown before anything is computed from it, so that the
 * identities of wire.md D.2 to D.4 hold for the texts a client reads, exactly.
 */
export interface QuoteValues {
  readonly input: Usd
  /** Of the whole output, what calls spend of it included: fees and impacts are about what is moved (wire.md D.4). */
  readonly output: Usd
  readonly minimumOutput: Usd
  readonly gas: Usd
  readonly relayerGas: Usd
  readonly relayerService: Usd
  readonly relayer: Usd
  readonly app: Usd
  readonly subsidized: Usd
  readonly totalImpact: Usd
  readonly swapImpact: Usd
}

/** The values of a quote at its own prices. */
export const valuesOf = (quote: PricedQuote): QuoteValues => {
  const { plan, pair, book, fees } = quote
  const { route } = plan
  const worth = (currency: Currency, amount: bigint): Usd => roundUsd(usdValue({ currency, amount }, book.of(currency)))
  const fee = (amount: bigint): Usd => worth(pair.deposit, amount)
  const relayerGas = fee(fees.relayerGas)
  const relayerService = fee(fees.relayerService)
  const relayer = relayerGas + relayerService
  const app = fee(fees.app)
  const input = worth(route.origin.currency, quote.inputAmount)
  const output = worth(route.destination.currency, quote.outputAmount)
  const totalImpact = output - input
  return {
    input,
    output,
    minimumOutput: worth(route.destination.currency, quote.minimumOutput),
    gas: worth(quote.depositFee.currency, quote.depositFee.amount),
    relayerGas,
    relayerService,
    relayer,
    app,
    subsidized: fee(fees.subsidized),
    totalImpact,
    swapImpact: totalImpact + relayer + app,
  }
}
