import { type Chain, type ChainRegistry, defineRoute, type Route } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { CodedError, codedBody } from '../codedErrors.js'
import { openChain } from '../openChain.js'
import type { ChainHealth } from './chainHealth.js'

export interface HealthRouteDeps {
  readonly chains: ChainRegistry
  readonly health: ChainHealth
}

const HealthQuery = Type.Object({
  chainId: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Default: all chains that are on' }),
  ),
})

/** `GET /chains/health` (wire.md 4.8): of one chain, or of all public chains that are switched on. */
export const healthRoute = ({ chains, health }: HealthRouteDeps): Route => {
  const asked = (chainId: number | undefined): readonly Chain[] =>
    chainId === undefined
      ? chains.all().filter(({ config }) => config.enabled && config.privateId === undefined)
      : [openChain(chains, chainId)]

  return defineRoute({
    method: 'GET',
    path: '/chains/health',
    summary: 'Whether transfers work on a chain now',
    tags: ['chains'],
    bucket: 'other',
    auth: 'none',
    query: HealthQuery,
    responses: { 200: Type.Object({ healthy: Type.Boolean() }) },
    errors: 'quote',
    errorBody: codedBody,
    errorSchema: CodedError,
    handler: async ({ query: { chainId } }) => {
      const states = await Promise.all(asked(chainId).map((chain) => health.isHealthy(chain)))
      return { healthy: states.every((state) => state) }
    },
  })
}
