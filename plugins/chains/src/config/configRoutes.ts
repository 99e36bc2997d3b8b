import type { CurrencyRegistry } from '@causeway/core'
import { AddressText, type ChainRegistry, defineRoute, type Route } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { asServerError, CodedError, codedBody } from '../codedErrors.js'
import { openChain } from '../openChain.js'
import { type CurrencyPair, type Ends, nativePair, pairOfAddress, pairOfGroup } from './configCurrency.js'
import { ConfigAnswer, ConfigV2Answer, configQuery } from './configSchemas.js'
import type { RouteConfig } from './routeConfig.js'

export interface ConfigRoutesDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly config: RouteConfig
}

interface ConfigQuery {
  readonly originChainId: number
  readonly destinationChainId: number
  readonly user?: string
  readonly currency?: string
}

/** The closed list of ids; without any currency there is none, and nothing is enabled. */
const groupId = (groups: readonly string[]) =>
  Type.Unsafe<string>({
    type: 'string',
    ...(groups.length === 0 ? {} : { enum: groups }),
    description: 'Id shared by the same asset on several chains; default: native currency of the destination',
  })

const shared = {
  method: 'GET',
  tags: ['chains'],
  bucket: 'other',
  auth: 'optional',
  errors: 'quote',
  errorBody: codedBody,
  errorSchema: CodedError,
} as const

/** `GET /config` and `GET /config/v2` (wire.md 4.9). */
export const configRoutes = ({ chains, currencies, config }: ConfigRoutesDeps): readonly Route[] => {
  const groups = [...new Set(currencies.all().map(({ groupId }) => groupId))]

  const read = async (query: ConfigQuery, pairOf: (ends: Ends, currency: string) => CurrencyPair) => {
    try {
      const ends = {
        origin: openChain(chains, query.originChainId),
        destination: openChain(chains, query.destinationChainId),
      }
      const pair = query.currency === undefined ? nativePair(currencies, ends) : pairOf(ends, query.currency)
      return await config.read(ends, pair, query.user)
    } catch (error) {
      throw asServerError(error)
    }
  }

  return [
    defineRoute({
      ...shared,
      path: '/config',
      summary: 'What a route can carry now (use /config/v2)',
      query: configQuery(AddressText({ description: 'Address at either end; default: native' })),
      responses: { 200: ConfigAnswer },
      handler: async ({ query }) => {
        const { fee: _fee, ...answer } = await read(query, (ends, address) => pairOfAddress(currencies, ends, address))
        return answer
      },
    }),
    defineRoute({
      ...shared,
      path: '/config/v2',
      summary: 'What a route can carry now, and what it costs',
      query: configQuery(groupId(groups)),
      responses: { 200: ConfigV2Answer },
      handler: ({ query }) => read(query, (ends, id) => pairOfGroup(currencies, ends, id)),
    }),
  ]
}
