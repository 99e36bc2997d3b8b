import { type ChainRegistry, defineRoute, MessageSchema, type Route } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { openChain } from './openChain.js'

const Answer = Type.Object({
  sources: Type.Array(Type.String(), { description: 'Names for the included and excluded sources of a quote' }),
})

/** `GET /swap-sources`: names of the swap sources of one chain, or of all that are not private (wire.md 4.11). */
export const swapSourcesRoute = ({ chains }: { readonly chains: ChainRegistry }): Route =>
  defineRoute({
    method: 'GET',
    path: '/swap-sources',
    summary: 'Names of the swap sources',
    tags: ['chains'],
    bucket: 'other',
    auth: 'optional',
    query: Type.Object({
      chainId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    }),
    responses: { 200: Answer, 400: MessageSchema },
    cache: 'public, max-age=60, stale-while-revalidate=300',
    etag: true,
    handler: ({ query: { chainId } }) => {
      const asked =
        chainId === undefined
          ? chains.all().filter(({ config }) => config.privateId === undefined)
          : [openChain(chains, chainId)]
      const names = asked.flatMap(({ adapter }) => adapter.swaps?.sources ?? [])
      return { sources: [...new Set(names)].sort() }
    },
  })
