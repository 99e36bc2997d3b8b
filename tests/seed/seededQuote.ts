import { quotedAmount, type RecordFacts } from '@causeway/core/plugin'
import type { SeededChain, SeededCurrency } from './seededChains.js'
import { amountOf, unitsOf } from './seededMoney.js'

export interface SeededQuote {
  readonly from: SeededChain
  readonly to: SeededChain
  readonly currencyIn: SeededCurrency
  readonly currencyOut: SeededCurrency
  readonly user: string
  readonly recipient: string
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Millionths of a dollar that arrive, and that are kept. */
  readonly micros: bigint
  readonly fee: bigint
}

const typeOf = ({ from, to, currencyIn, currencyOut }: SeededQuote): string => {
  if (from === to) return 'Same-chain Swap'
  return currencyIn.json.symbol === currencyOut.json.symbol ? 'Bridge' : 'Crosschain Swap'
}

/** What the service would have answered to the quote. */
export const quotedOf = (quote: SeededQuote) => {
  const { from, currencyIn, currencyOut, micros, fee } = quote
  const given = amountOf(currencyIn, quote.amountIn, micros + fee)
  const got = amountOf(currencyOut, quote.amountOut, micros)
  const part = (value: bigint) => amountOf(currencyIn, unitsOf(currencyIn, value), value)
  return {
    requestType: typeOf(quote),
    features: micros % 10n === 0n ? ['gas_top_up'] : [],
    fees: {
      gas: amountOf(from.native, unitsOf(from.native, 30_000n), 30_000n),
      relayer: part(fee),
      relayerGas: part(20_000n),
      relayerService: part(fee - 20_000n),
      app: part(micros % 5n === 0n ? fee / 10n : 0n),
      subsidized: part(0n),
    },
    details: {
      operation: from === quote.to ? 'swap' : 'bridge',
      sender: quote.user,
      recipient: quote.recipient,
      currencyIn: given,
      currencyOut: got,
      rate: '1',
      timeEstimate: 7,
      slippageTolerance: { total: '50' },
      expandedPriceImpact: Object.fromEntries(
        ['swap', 'execution', 'relay', 'app', 'sponsored'].map((name) => [name, { usd: '0.000000' }]),
      ),
      route: {
        origin: { inputCurrency: given, outputCurrency: given, router: 'relay' },
        destination: { inputCurrency: got, outputCurrency: got, router: 'relay' },
      },
    },
  }
}

/** Symbol in lower case and dollars of an amount that a seeded quote tells. */
export const quotedAmountUsd = (
  facts: Pick<RecordFacts, 'quoted'>,
  which: 'currencyIn' | 'currencyOut' | 'app',
): { readonly symbol: string; readonly usd: string } => {
  const amount = quotedAmount(facts, which === 'app' ? 'fees.app' : `details.${which}`)
  return { symbol: amount?.currency.symbol.toLowerCase() ?? '', usd: amount?.amountUsd ?? '0' }
}
