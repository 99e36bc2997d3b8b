import type { Currency } from '@causeway/core'
import { defineRoute, MessageSchema, type PermitWays, PreparedJson, type Route, reply } from '@causeway/core/plugin'
import { currencyKey } from './catalogueCurrency.js'
import type { CurrencyCatalogue } from './currencyCatalogue.js'
import { CurrenciesBody, CurrencyGroups, CurrencyList } from './currencySchemas.js'
import type { ListedPermits } from './listedPermits.js'

const CACHE = 'public, max-age=60, stale-while-revalidate=300'

const currencyJson = ({ groupId: _, ...currency }: Currency, permits: PermitWays) => {
  const way = permits.get(currencyKey(currency.chainId, currency.address))
  return {
    ...currency,
    ...(way === 'permit' ? { supportsPermit: true } : way === 'permit2' ? { permit2: true } : {}),
  }
}
const groupedJson = ({ groupId, ...currency }: Currency) => ({ groupID: groupId, ...currency })

const tagged = (list: readonly object[]) => {
  const body = PreparedJson.of(list)
  return reply(body, { headers: { etag: body.etag } })
}

const shared = {
  method: 'POST',
  tags: ['currencies'],
  bucket: 'other',
  auth: 'optional',
  body: CurrenciesBody,
  cache: CACHE,
} as const

/** `POST /currencies/v2` and `/currencies/v1` (wire.md 4.1, 4.2). */
export const currencyRoutes = (catalogue: CurrencyCatalogue, permits: ListedPermits): readonly Route[] => [
  defineRoute({
    ...shared,
    path: '/currencies/v2',
    summary: 'Search currencies',
    responses: { 200: CurrencyList, 400: MessageSchema },
    handler: async ({ body }) => {
      const found = await catalogue.search(body)
      const taken = await permits.among(found)
      return tagged(found.map((currency) => currencyJson(currency, taken)))
    },
  }),
  defineRoute({
    ...shared,
    path: '/currencies/v1',
    summary: 'Search currencies, grouped by asset',
    responses: { 200: CurrencyGroups, 400: MessageSchema },
    handler: async ({ body }) => tagged((await catalogue.searchGroups(body)).map((group) => group.map(groupedJson))),
  }),
]
