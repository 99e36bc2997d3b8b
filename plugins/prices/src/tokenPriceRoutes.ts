import type { Prices } from '@causeway/core/chain'
import { AddressText, ChainId, defineRoute, ExecuteErrorSchema, type Route, type Usd } from '@causeway/core/plugin'
import { type TSchema, Type } from '@sinclair/typebox'
import { type FindCurrencyDeps, findCurrency } from './findCurrency.js'
import { priceText } from './priceText.js'

export interface TokenPriceRouteDeps extends FindCurrencyDeps {
  readonly prices: Prices
}

interface Surface {
  readonly path: string
  readonly price: TSchema
  shown(usd: Usd): number | string
}

const SURFACES: readonly Surface[] = [
  { path: '/currencies/token/price', price: Type.Number(), shown: (usd) => Number(priceText(usd)) },
  { path: '/currencies/token/price/v2', price: Type.String(), shown: priceText },
]

/**
 * What one whole unit of a currency costs in dollars, listed or not: a number, or in `/v2` a text with every digit. Errors are
 * `{error}` (wire.md 4.4, 0.4).
 */
export const tokenPriceRoutes = (deps: TokenPriceRouteDeps): readonly Route[] =>
  SURFACES.map(({ path, price, shown }) =>
    defineRoute({
      method: 'GET',
      path,
      summary: 'Price of a currency in dollars',
      tags: ['currencies'],
      bucket: 'other',
      auth: 'optional',
      query: Type.Object({ address: AddressText(), chainId: ChainId() }),
      responses: { 200: Type.Object({ price }), 400: ExecuteErrorSchema, 503: ExecuteErrorSchema },
      errors: 'execute',
      cache: 'public, max-age=15',
      handler: async ({ query: { chainId, address } }) => {
        const currency = await findCurrency(deps, chainId, address)
        const [found] = await deps.prices.get([currency])
        if (found === undefined) throw new Error('The price service left a price out')
        return { price: shown(found.usd) }
      },
    }),
  )
