import { type Static, type TSchema, Type } from '@sinclair/typebox'

const closed = { additionalProperties: false } as const

/** At most `points` calls in `seconds`. */
const rule = (points: number, seconds: number) =>
  Type.Object(
    {
      points: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: points, description: 'Calls admitted.' }),
      seconds: Type.Integer({ minimum: 1, maximum: 86_400, default: seconds, description: 'Length of the window.' }),
    },
    { ...closed, default: {} },
  )

const group = <Fields extends Record<string, TSchema>>(fields: Fields, description: string) =>
  Type.Object(fields, { ...closed, default: {}, description })

const bucket = (anonymous: number, key: number, elevated = rule(key, 60)) =>
  group(
    { anonymous: rule(anonymous, 60), key: rule(key, 60), elevated },
    'Limits of an address without a key, of a key, and of an elevated key, which never has less than another.',
  )

const buckets = group(
  {
    quote: bucket(10, 50, rule(10, 1)),
    status: bucket(60, 200),
    requests: bucket(60, 200, rule(10, 1)),
    'requests/v3': bucket(60, 200, rule(20, 1)),
    'transactions/status': bucket(60, 200, rule(10, 1)),
    dashboard: bucket(600, 600),
    console: bucket(30_000, 30_000),
    other: bucket(60, 200),
  },
  'By bucket; routes of any other bucket count in `other`.',
)

const authorize = group(
  {
    wallet: group(
      { selfServe: rule(5, 60), elevated: rule(5, 60) },
      'Of one wallet: with everyone together, and with each elevated key by itself.',
    ),
    total: group(
      { anonymous: rule(20, 60), key: rule(20, 60), elevated: rule(30, 60) },
      'Of all wallets of an address, a key, an elevated key.',
    ),
  },
  'The further limits of POST /authorize (wire.md 2.8).',
)

const cut = group(
  {
    from: Type.String({
      default: '2026-09-01',
      pattern: '^\\d{4}-(0[1-9]|1[0-2])-01$',
      description: 'First cut, UTC.',
    }),
    factor: Type.Number({ default: 0.5, exclusiveMinimum: 0, maximum: 1, description: 'Of each month; 1: no cut.' }),
  },
  'The monthly cut of GET /requests/v2 (wire.md H.1).',
)

/** Options of the plugin; the defaults are those of wire.md H.1. */
export const rateLimitOptions = Type.Object(
  {
    buckets,
    authorize,
    requestsV2Cut: cut,
    proxiedMultiple: Type.Integer({
      default: 20,
      minimum: 1,
      maximum: 100_000,
      description: 'How often the limits of a key its proxied callers have together; each has them once.',
    }),
    scale: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: 1_000_000,
      description: 'Multiplies every limit; for deployments that are tried out.',
    }),
    store: Type.Union([Type.Literal('postgres'), Type.Literal('redis'), Type.Literal('memory')], {
      default: 'postgres',
      description: 'Where hosts count together; `memory` is for a single host.',
    }),
    redis: group(
      {
        env: Type.String({ default: 'REDIS_URL', description: 'Name of the environment variable that holds its URL.' }),
        prefix: Type.String({ default: 'causeway', maxLength: 50, description: 'Of its keys, one per deployment.' }),
      },
      'The store `redis`.',
    ),
    storeTimeoutMs: Type.Integer({
      default: 300,
      minimum: 10,
      maximum: 10_000,
      description: 'A store that takes longer is taken for failed.',
    }),
    sliceShare: Type.Number({
      default: 0.2,
      exclusiveMinimum: 0,
      maximum: 1,
      description: 'What share of a limit a host takes from the store at once.',
    }),
    memoryEntries: Type.Integer({
      default: 50_000,
      minimum: 100,
      maximum: 10_000_000,
      description: 'Counts a host remembers; beyond it the one not used for longest is forgotten.',
    }),
  },
  closed,
)

export type RateLimitOptions = Static<typeof rateLimitOptions>
