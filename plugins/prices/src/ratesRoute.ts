import { type Currency, type CurrencyRegistry, ServiceError } from '@causeway/core'
import type { Prices } from '@causeway/core/chain'
import { type ChainRegistry, defineRoute, MessageSchema, type Route, type Usd } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { priceText } from './priceText.js'

export interface RatesRouteDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
}

/** Native currencies first, then the listed ones, of chains that everybody may see. */
const shownCurrencies = ({ chains, currencies }: RatesRouteDeps): readonly Currency[] => {
  const open = chains.all().filter(({ config }) => config.privateId === undefined)
  return [
    ...open.flatMap(({ config }) => currencies.native(config.id) ?? []),
    ...open.flatMap(({ config }) => currencies.ofChain(config.id)),
  ]
}

/** Null where it has none now, which hides it and no other. Throws what is no answer about prices. */
const priceOf = async (prices: Prices, currency: Currency): Promise<Usd | null> => {
  try {
    const [price] = await prices.get([currency])
    return price?.usd ?? null
  } catch (error) {
    if (ServiceError.is(error)) return null
    throw error
  }
}

/** `GET /prices/rates`: dollars for one whole unit, by symbol; of several currencies with one symbol the first (wire.md 4.10). */
export const ratesRoute = (deps: RatesRouteDeps): Route =>
  defineRoute({
    method: 'GET',
    path: '/prices/rates',
    summary: 'Prices of native and listed currencies in dollars',
    tags: ['prices'],
    bucket: 'other',
    auth: 'optional',
    responses: { 200: Type.Record(Type.String(), Type.Number()), 503: MessageSchema },
    cache: 'public, max-age=15',
    handler: async () => {
      const shown = shownCurrencies(deps)
      const found = await Promise.all(shown.map((currency) => priceOf(deps.prices, currency)))
      const rates = new Map<string, number>()
      for (const [at, { symbol }] of shown.entries()) {
        const usd = found[at] ?? null
        if (usd !== null && !rates.has(symbol)) rates.set(symbol, Number(priceText(usd)))
      }
      if (rates.size === 0 && shown.length > 0) {
        throw new ServiceError('PRICE_FETCH_FAILED', 'No currency has a price now. Try again.')
      }
      return Object.fromEntries(rates)
    },
  })
