/** `src/index.ts` of a new plugin. */
export const INDEX = `
import { CLOCK } from '@causeway/core'
import { definePlugin, POOL, QUOTE_EXTENSIONS } from '@causeway/core/plugin'
import { greetingExtension } from './greetingExtension.js'
import { greetingRoutes } from './greetingRoutes.js'
import { migrations } from './greetings.js'
import { greetingOptions } from './options.js'

/** What a host loads by the name of this package. */
export default definePlugin({
  // Names the table of applied migrations too, so it stays as it is once the plugin is in use.
  name: '__PACKAGE__',
  version: '0.1.0',
  // Versions of core it works with; a host with another one refuses to start.
  coreRange: '__RANGE__',
  // Services it resolves below. The host checks before a start that something provides each of them.
  requires: [CLOCK, POOL],
  // What it registers for others.
  provides: [QUOTE_EXTENSIONS],
  options: greetingOptions,
  migrations,
  register: ({ container, provide }) => {
    provide(QUOTE_EXTENSIONS, () => [greetingExtension(container.resolve(POOL))])
  },
  routes: ({ container, options }) =>
    greetingRoutes({
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      maxLength: options.maxLength,
    }),
})
`

/** `src/options.ts` of a new plugin. */
export const OPTIONS = `
import { type Static, Type } from '@sinclair/typebox'

/** \`options\` of this plugin in the configuration of a deployment. The host checks them and fills in the defaults. */
export const greetingOptions = Type.Object(
  {
    maxLength: Type.Integer({ minimum: 1, maximum: 1000, default: 140, description: 'Most characters of a greeting' }),
  },
  { additionalProperties: false },
)

export type GreetingOptions = Static<typeof greetingOptions>
`

/** `src/owner.ts` of a new plugin. */
export const OWNER = `
import type { Caller } from '@causeway/core/plugin'

/**
 * The integrator that may read and change what is its own; null for a caller without a key. A proxied caller owns nothing:
 * its key was added because of a browser's \`Origin\` header, which anybody can send.
 */
export const ownerOf = (caller: Caller): string | null =>
  caller.kind === 'integrator' && caller.proxied !== true ? caller.integratorId : null
`

/** `src/greetings.ts` of a new plugin. */
export const GREETINGS = `
import { type DatabasePool, type Effect, type Migration, withTransaction } from '@causeway/core/plugin'

/** Tables of this plugin; their names begin with its own. A released migration never changes: add another one. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_greetings',
    up: \`
create table __WORD___greetings (
  integrator_id text primary key,
  text text not null,
  changed_at timestamptz not null
);
\`,
  },
]

export interface Greeting {
  readonly text: string
  /** ISO 8601. */
  readonly changedAt: string
}

/** Null where the integrator has none. */
export const findGreeting = async (pool: DatabasePool, integratorId: string): Promise<Greeting | null> => {
  const { rows } = await pool.query<{ text: string; changed_at: Date }>(
    'select text, changed_at from __WORD___greetings where integrator_id = $1',
    [integratorId],
  )
  const [row] = rows
  return row === undefined ? null : { text: row.text, changedAt: row.changed_at.toISOString() }
}

/** Stores a greeting in place of the one before. */
export const saveGreeting = (
  pool: DatabasePool,
  integratorId: string,
  greeting: Greeting,
  effect: Effect | undefined,
): Promise<void> =>
  withTransaction(pool, async (client) => {
    await client.query(
      \`insert into __WORD___greetings (integrator_id, text, changed_at) values ($1, $2, $3)
       on conflict (integrator_id) do update set text = excluded.text, changed_at = excluded.changed_at\`,
      [integratorId, greeting.text, greeting.changedAt],
    )
    // A call with an Idempotency-Key: what it changes and what it answers are stored together or not at all.
    if (effect !== undefined) {
      const { text, values } = effect.statement(greeting)
      await client.query(text, [...values])
    }
  })
`

/** `src/greetingRoutes.ts` of a new plugin. */
export const ROUTES = `
import { type Clock, ServiceError } from '@causeway/core'
import { type Caller, type DatabasePool, defineRoute, HttpError, MessageSchema, type Route } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { findGreeting, saveGreeting } from './greetings.js'
import { ownerOf } from './owner.js'

const GreetingSchema = Type.Object({ text: Type.String(), changedAt: Type.String({ description: 'ISO 8601' }) })

/** What both operations declare. Calls without a key are 401 before a handler runs. */
const COMMON = { path: '/__WORD__/greeting', tags: ['__WORD__'], bucket: 'other', auth: 'required' } as const

const requireOwner = (caller: Caller): string => {
  const owner = ownerOf(caller)
  if (owner === null) throw new ServiceError('FORBIDDEN', 'This needs an API key of your own')
  return owner
}

export interface GreetingRoutesDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly maxLength: number
}

/** Integrators write and read their greeting. The schemas serve checks, types and the description of the API. */
export const greetingRoutes = ({ pool, clock, maxLength }: GreetingRoutesDeps): readonly Route[] => [
  defineRoute({
    ...COMMON,
    method: 'PUT',
    summary: 'Sets the greeting of the integrator',
    // It changes something, so a repeat with the same Idempotency-Key gets the first answer again.
    changes: true,
    body: Type.Object({ text: Type.String({ minLength: 1, maxLength }) }),
    responses: { 200: GreetingSchema, 403: MessageSchema },
    handler: async ({ body, caller, ctx }) => {
      const greeting = { text: body.text, changedAt: new Date(clock.now()).toISOString() }
      await saveGreeting(pool, requireOwner(caller), greeting, ctx.effect)
      return greeting
    },
  }),
  defineRoute({
    ...COMMON,
    method: 'GET',
    summary: 'The greeting of the integrator',
    responses: { 200: GreetingSchema, 403: MessageSchema, 404: MessageSchema },
    handler: async ({ caller }) => {
      const greeting = await findGreeting(pool, requireOwner(caller))
      if (greeting === null) throw new HttpError(404, 'There is no greeting yet')
      return greeting
    },
  }),
]
`

/** `src/greetingExtension.ts` of a new plugin. */
export const EXTENSION = `
import { type DatabasePool, defineQuoteExtension, type QuoteDraft } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { findGreeting } from './greetings.js'
import { ownerOf } from './owner.js'

/** Fields of \`POST /quote\` that this plugin reads: optional, and without a default, which would be put into every body. */
const Body = Type.Object({
  __WORD__Greeting: Type.Optional(Type.Boolean({ description: 'Adds the greeting of the integrator to the answer' })),
})

/** A quote that asks for it has the integrator's greeting in its answer. */
export const greetingExtension = (pool: DatabasePool) => {
  // One extension serves many quotes at once: what belongs to one of them is kept by its draft.
  const found = new WeakMap<QuoteDraft, string>()
  return defineQuoteExtension({
    name: '__WORD__-greeting',
    bodySchema: Body,
    // Runs for quotes and not for prices, which have no such answer.
    phase: 'order',
    apply: async (draft, body) => {
      const owner = ownerOf(draft.caller)
      if (body.__WORD__Greeting !== true || owner === null) return
      const greeting = await findGreeting(pool, owner)
      if (greeting !== null) found.set(draft, greeting.text)
    },
    response: (draft) => {
      const greeting = found.get(draft)
      return greeting === undefined ? {} : { __WORD__: { greeting } }
    },
  })
}
`
