import {
  type Command,
  defineRoute,
  HttpError,
  MANAGEMENT_REFUSALS,
  MANAGEMENT_ROUTE,
  type ManagementGate,
  MessageSchema,
  type OperatorCommands,
  PreparedJson,
  type Route,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { optionsOf, readArguments, readOptions, requireConfirmed } from './commandInput.js'
import { runCommand } from './runCommand.js'
import { SharedReads } from './sharedReads.js'

export interface ConsoleDeps {
  readonly gate: ManagementGate
  readonly commands: OperatorCommands
  /** Milliseconds that only grow. */
  now(): number
}

const shared = { ...MANAGEMENT_ROUTE, tags: ['console'], bucket: 'console' } as const
/** `code` is `SIGN_IN_AGAIN` where the sign-in is too long ago. */
const Forbidden = Type.Object(
  { message: Type.String(), code: Type.Optional(Type.String()) },
  { title: 'ConsoleForbidden' },
)
const refusals = { ...MANAGEMENT_REFUSALS, 400: MessageSchema, 404: MessageSchema, 409: MessageSchema } as const

const Nullable = <T extends import('@sinclair/typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const Kind = Type.Union([Type.Literal('read'), Type.Literal('action'), Type.Literal('money')])

const KnownCommand = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    kind: Kind,
    arguments: Type.Array(Type.Object({ name: Type.String(), description: Type.String(), required: Type.Boolean() })),
    options: Type.Array(
      Type.Object({
        name: Type.String(),
        flags: Type.String(),
        description: Type.String(),
        takes: Type.Union([Type.Literal('text'), Type.Literal('nothing')]),
        default: Nullable(Type.String()),
      }),
    ),
    confirmWith: Nullable(Type.String({ description: 'The argument that goes into `confirm` once more.' })),
  },
  { title: 'ConsoleCommand' },
)

const shownCommand = (command: Command): Static<typeof KnownCommand>[] => {
  const { name, description, console: kind, arguments: given = [], confirmWith } = command
  if (kind === undefined) return []
  const known = given.map((item) => ({ name: item.name, description: item.description, required: item.required }))
  return [
    { name, description, kind, arguments: known, options: [...optionsOf(command)], confirmWith: confirmWith ?? null },
  ]
}

/** A command of the console. @throws HttpError 404 for one that there is not, or that is for the command line alone */
const findCommand = (
  { commands }: ConsoleDeps,
  name: unknown,
): Command & { readonly console: NonNullable<Command['console']> } => {
  const command = commands.all().find((item) => item.name === name)
  if (command?.console === undefined) throw new HttpError(404, 'The console has no such command')
  return { ...command, console: command.console }
}

const listRoute = (deps: ConsoleDeps): Route => {
  let listed: PreparedJson | null = null
  return defineRoute({
    ...shared,
    method: 'GET',
    path: '/console/api/commands',
    summary: 'For operators: what the console can read and do',
    responses: { 200: Type.Object({ commands: Type.Array(KnownCommand) }), ...MANAGEMENT_REFUSALS },
    etag: true,
    authorize: deps.gate.operator,
    handler: () => {
      listed ??= PreparedJson.of({ commands: deps.commands.all().flatMap(shownCommand) })
      return listed
    },
  })
}

const Texts = Type.Array(Type.String(), { maxItems: 10 })
const Options = Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()]))

const ReadAnswer = Type.Object(
  {
    lines: Type.Array(Type.String(), { description: 'What it prints, where it has no JSON.' }),
    result: Type.Unknown({ description: 'Its JSON, as `--json` prints it; null where it has none.' }),
    refusal: Nullable(Type.String({ description: 'Why the command line would end with exit code 1 after that.' })),
  },
  { title: 'ConsoleRead' },
)

/** JSON in the query, of a form that is checked besides. @throws HttpError 400 */
const readJson = (text: string | undefined, name: string): unknown => {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError(400, `query.${name} is no JSON`)
  }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const isOptions = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const readRoute = (deps: ConsoleDeps): Route => {
  const reads = new SharedReads(deps)
  return defineRoute({
    ...shared,
    method: 'GET',
    path: '/console/api/reads/:name',
    summary: 'For operators: what a command shows',
    description: 'One answer for everybody who asks within a moment; unchanged ones are 304.',
    params: Type.Object({ name: Type.String({ maxLength: 100, description: 'Name of a command of kind `read`.' }) }),
    query: Type.Object({
      arguments: Type.Optional(Type.String({ maxLength: 8_000, description: 'Its arguments: a JSON list of texts.' })),
      options: Type.Optional(
        Type.String({ maxLength: 8_000, description: 'Its options: a JSON object of texts and booleans.' }),
      ),
    }),
    responses: { 200: ReadAnswer, ...refusals },
    etag: true,
    authorize: deps.gate.operator,
    handler: ({ params, query }) => {
      const command = findCommand(deps, params.name)
      if (command.console !== 'read') throw new HttpError(404, `${command.name} is no read; send it by POST`)
      const given = readJson(query.arguments, 'arguments') ?? []
      const options = readJson(query.options, 'options') ?? {}
      if (!isTexts(given)) throw new HttpError(400, 'query.arguments must be a JSON list of texts')
      if (!isOptions(options)) throw new HttpError(400, 'query.options must be a JSON object')
      return reads.read({ command, arguments: readArguments(command, given), options: readOptions(command, options) })
    },
  })
}

const RunBody = Type.Object({
  name: Type.String({ maxLength: 100, description: 'Name of a command of kind `action` or `money`.' }),
  arguments: Type.Optional(Texts),
  options: Type.Optional(Options),
  confirm: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Of kind `money`: what the argument `confirmWith` is, typed once more.',
    }),
  ),
})

const nameIn = (body: unknown): unknown => Reflect.get(Object(body), 'name')

const runRoute = (deps: ConsoleDeps): Route => {
  const { gate, commands } = deps
  const movesMoney = (body: unknown): boolean =>
    commands.all().find((item) => item.name === nameIn(body))?.console === 'money'
  return defineRoute({
    ...shared,
    method: 'POST',
    path: '/console/api/commands',
    summary: 'For operators: run a command',
    description:
      'The same code as the command line runs; it asks nothing. Money is moved within five minutes of a sign-in, and `confirm` repeats what it is about.',
    changes: true,
    body: RunBody,
    responses: {
      200: Type.Object({ lines: Type.Array(Type.String()), result: Type.Null() }, { title: 'ConsoleRun' }),
      ...refusals,
      403: Forbidden,
    },
    authorize: (body, caller, ctx) =>
      movesMoney(body) ? gate.recentOperator(body, caller, ctx) : gate.operator(body, caller, ctx),
    handler: async ({ body, ctx }) => {
      const command = findCommand(deps, body.name)
      if (command.console === 'read')
        throw new HttpError(404, `${command.name} only reads; GET /console/api/reads/:name`)
      const given = readArguments(command, body.arguments ?? [])
      const options = readOptions(command, body.options ?? {})
      requireConfirmed(command, given, body.confirm)
      const input = { arguments: given, options: { ...options, yes: true }, actor: gate.actor(ctx) }
      const { lines } = await runCommand(command, input)
      return { lines: [...lines], result: null }
    },
  })
}

/** What the operator console calls: every read and every action of it is a command of the command line. */
export const consoleRoutes = (deps: ConsoleDeps): readonly Route[] => [listRoute(deps), readRoute(deps), runRoute(deps)]
