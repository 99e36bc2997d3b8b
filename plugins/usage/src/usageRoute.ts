import { type Clock, ServiceError } from '@causeway/core'
import {
  type Caller,
  type DatabasePool,
  defineRoute,
  type KeyOwnership,
  MANAGEMENT_REFUSALS,
  MANAGEMENT_ROUTE,
  type ManagementGate,
  MessageSchema,
  NamedIntegrator,
  ownsAs,
  type Route,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { type Granularity, readUsage, SPAN_SECONDS, type UsageRow } from './usageReader.js'

export interface UsageRouteDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly ownership: Pick<KeyOwnership, 'ownedKeyIds'>
  /** An answer with more rows is refused, with the advice to ask for less. */
  readonly maxRows: number
}

const MAX_KEYS = 50
/** The year 9999: beyond it a date has no usual text. */
const MAX_SECONDS = 253_402_300_799

const Seconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SECONDS, description: `${description} Unix seconds.` }))

const UsageQuerySchema = Type.Object({
  granularity: Type.Union([Type.Literal('minutely'), Type.Literal('hourly'), Type.Literal('daily')], {
    default: 'minutely',
    description: 'Length of a bucket. At most 24 hours are read by minute, 7 days by hour, 14 days by day.',
  }),
  startTimestamp: Seconds('Default: as far before the end as may be read.'),
  endTimestamp: Seconds('Default: now.'),
  apiKey: Type.Optional(
    Type.String({ description: 'Keys or their ids, up to 50 with commas between. Default: all of the integrator.' }),
  ),
})

const UsageAnswer = Type.Object(
  {
    metrics: Type.Array(
      Type.Object({
        apiKey: Type.String({ description: 'The id of the key.' }),
        timestamp: Type.String({ description: 'Start of the bucket, ISO 8601.' }),
        endpoint: Type.String({ examples: ['/quote/v2'] }),
        statusCode: Type.Integer(),
        errorCode: Type.Optional(Type.String()),
        count: Type.Integer(),
      }),
    ),
  },
  { title: 'Usage' },
)

interface AskedRange {
  readonly granularity: Granularity
  readonly startTimestamp?: number
  readonly endTimestamp?: number
}

/** The range asked for, Unix seconds. Throws ServiceError `INVALID_REQUEST`. */
const rangeOf = ({ granularity, startTimestamp, endTimestamp }: AskedRange, nowMs: number) => {
  const now = Math.floor(nowMs / 1000)
  const span = SPAN_SECONDS[granularity]
  const end = endTimestamp ?? Math.min(now, (startTimestamp ?? now) + span)
  const start = startTimestamp ?? Math.max(0, end - span)
  if (start > end)
    throw new ServiceError('INVALID_REQUEST', 'query.startTimestamp must not be after query.endTimestamp')
  if (end - start > span) {
    throw new ServiceError('INVALID_REQUEST', `A ${granularity} answer covers at most ${span} seconds; ask for less`)
  }
  return { start, end }
}

const namedKeys = (text: string): readonly string[] => {
  const named = text.split(',').map((key) => key.trim())
  if (named.length > MAX_KEYS || named.some((key) => key === '')) {
    throw new ServiceError('INVALID_REQUEST', `query.apiKey must be 1 to ${MAX_KEYS} keys with commas between`)
  }
  return [...new Set(named)]
}

const ownerOf = (caller: Caller): string => {
  if (caller.kind === 'integrator' && ownsAs(caller, caller.integratorId)) return caller.integratorId
  throw new ServiceError('FORBIDDEN', 'This key may not see the use of keys')
}

const rowJson = ({ apiKeyId, at, endpoint, status, errorCode, count }: UsageRow) => ({
  apiKey: apiKeyId,
  timestamp: at.toISOString(),
  endpoint,
  statusCode: status,
  ...(errorCode === null ? {} : { errorCode }),
  count,
})

type UsageQueryText = Static<typeof UsageQuerySchema>

/** Reads what was asked for. Throws ServiceError `INVALID_REQUEST` for a query that makes no sense or finds too much. */
const answerOf = async (
  { pool, clock, maxRows }: UsageRouteDeps,
  query: UsageQueryText,
  whose: {
    integratorId(): string
    ownedKeyIds(integratorId: string, named: readonly string[]): Promise<readonly string[]>
  },
): Promise<Static<typeof UsageAnswer>> => {
  const { start, end } = rangeOf(query, clock.now())
  const named = query.apiKey === undefined ? null : namedKeys(query.apiKey)
  const integratorId = whose.integratorId()
  const rows = await readUsage(pool, {
    integratorId,
    apiKeyIds: named === null ? null : await whose.ownedKeyIds(integratorId, named),
    granularity: query.granularity,
    from: start * 1000,
    to: end * 1000,
    maxRows,
  })
  if (rows.length > maxRows) {
    throw new ServiceError('INVALID_REQUEST', `There are more than ${maxRows} rows; ask for less time or fewer keys`)
  }
  return { metrics: rows.map(rowJson) }
}

/** `GET /metrics/usage`: how often the caller's keys were used, by operation and outcome (wire.md 4.13). */
export const usageRoute = (deps: UsageRouteDeps): Route =>
  defineRoute({
    method: 'GET',
    path: '/metrics/usage',
    summary: 'Use of the API by key',
    description: `Counts are there some seconds after the calls. At most ${deps.maxRows} rows; more are refused.`,
    tags: ['integrators'],
    bucket: 'other',
    auth: 'required',
    query: UsageQuerySchema,
    responses: { 200: UsageAnswer, 400: MessageSchema, 401: MessageSchema, 403: MessageSchema },
    handler: ({ query, caller }) =>
      answerOf(deps, query, {
        integratorId: () => ownerOf(caller),
        ownedKeyIds: (_integratorId, named) => deps.ownership.ownedKeyIds(caller, named),
      }),
  })

/** `GET /dashboard/api/usage`: the same for an integrator whose member is signed in. */
export const sessionUsageRoute = ({ gate, ...deps }: UsageRouteDeps & { readonly gate: ManagementGate }): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: '/dashboard/api/usage',
    summary: 'Use of the API by the keys of the integrator',
    description: `Parameters and answer of \`GET /metrics/usage\`; keys are named by their ids. At most ${deps.maxRows} rows; more are refused.`,
    query: Type.Composite([UsageQuerySchema, Type.Object({ integratorId: NamedIntegrator() })]),
    responses: { 200: UsageAnswer, 400: MessageSchema, ...MANAGEMENT_REFUSALS },
    authorize: gate.member,
    handler: ({ query, ctx }) =>
      answerOf(deps, query, {
        integratorId: () => gate.integratorOf(ctx, query.integratorId),
        ownedKeyIds: (integratorId, named) =>
          deps.ownership.ownedKeyIds(
            { kind: 'integrator', integratorId, apiKeyId: '', keyName: null, elevated: false },
            named,
          ),
      }),
  })
