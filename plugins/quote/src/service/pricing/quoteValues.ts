import type { Currency } from '@causeway/core'
import { roundUsd, type Usd, usdValue } from '@causeway/core/plugin'
import type { PricedQuote } from './pricedQuote.js'

/**
 * Dollar values of a quote, each rounded to the six decimals shown before anything is computed from it, so that the
 * identities of wire.md D.2 to D.4 hold for the texts a client reads, exactly.
 */
export interface QuoteValues {
  readonly in: Usd
  /** Of the whole output, what calls spend of it included: fees and impacts are about what is moved (wire.md D.4). */
  readonly out: Usd
  readonly minimumOut: Usd
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
  const { route, pair, book, fees } = quote
  const worth = (currency: Currency, amount: bigint): Usd => roundUsd(usdValue({ currency, amount }, book.of(currency)))
  const fee = (amount: bigint): Usd => worth(pair.deposit, amount)
  const relayerGas = fee(fees.relayerGas)
  const relayerService = fee(fees.relayerService)
  const relayer = relayerGas + relayerService
  const app = fee(fees.app)
  const paid = worth(route.origin.currency, quote.amountIn)
  const got = worth(route.destination.currency, quote.amountOut)
  const totalImpact = got - paid
  return {
    in: paid,
    out: got,
    minimumOut: worth(route.destination.currency, quote.minimumOut),
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
