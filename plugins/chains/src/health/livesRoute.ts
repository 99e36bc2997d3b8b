import { type ChainRegistry, type Deployment, defineRoute, type Route, reply } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { DatabaseProbe } from './databaseProbe.js'
import type { HeadState, HeadWatch } from './headWatch.js'

export interface LivesRouteDeps {
  readonly chains: ChainRegistry
  readonly database: DatabaseProbe
  readonly deployment: Deployment
  readonly heads: HeadWatch
}

const flag = (description: string) => Type.Optional(Type.String({ maxLength: 10, description }))

const LivesQuery = Type.Object({
  withReport: flag('true: say how each component is'),
  skipPostgres: flag('true: do not ask the database'),
  skipRedis: flag('Accepted; this deployment asks no Redis'),
})

const Component = Type.Object({ status: Type.String(), reason: Type.Union([Type.String(), Type.Null()]) })

const LivesAnswer = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('error')]),
  report: Type.Optional(
    Type.Object({ version: Type.String() }, { additionalProperties: Type.Union([Type.String(), Component]) }),
  ),
})

const isSet = (text: string | undefined): boolean => text === 'true' || text === '1' || text === ''

const REASONS: Readonly<Record<HeadState, string | null>> = {
  ok: null,
  lagging: 'The newest block is old',
  unknown: 'No block was seen yet',
}

/**
 * `GET /lives` (wire.md 4.14): 200 while the service can work, 503 with the same body when the database does not answer.
 * A chain that lags is reported and no more, since the others still work. Private chains are not named.
 */
export const livesRoute = ({ chains, database, deployment, heads }: LivesRouteDeps): Route => {
  const chainReport = () =>
    chains
      .all()
      .filter(({ config }) => config.privateId === undefined)
      .map((chain) => {
        const status = heads.state(chain)
        return [`chain-${chain.config.slug}`, { status, reason: REASONS[status] }] as const
      })

  return defineRoute({
    method: 'GET',
    path: '/lives',
    summary: 'Whether the service works',
    tags: ['chains'],
    bucket: 'none',
    auth: 'none',
    query: LivesQuery,
    responses: { 200: LivesAnswer, 503: LivesAnswer },
    alwaysServed: true,
    handler: async ({ query }) => {
      const skipped = isSet(query.skipPostgres)
      const works = skipped || (await database.answers())
      const postgres = skipped
        ? 'skipped'
        : { status: works ? 'ok' : 'error', reason: works ? null : 'The database does not answer' }
      const redis = isSet(query.skipRedis) ? 'skipped' : 'not used'
      const report = { version: deployment.version, postgres, redis, ...Object.fromEntries(chainReport()) }
      const body = { status: works ? 'ok' : 'error', ...(isSet(query.withReport) ? { report } : {}) }
      return reply(body, { status: works ? 200 : 503 })
    },
  })
}
