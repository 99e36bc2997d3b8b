import type { Clock, Environment } from '@causeway/core'
import { auditActor, type Command, type Deployment, type Keys, withKnex } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import type { ApiKeyStore } from './store/apiKeyStore.js'
import { rotateMaster } from './store/rotateMaster.js'
import type { Page } from './store/storedKeys.js'

export interface ApiKeyCommandDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly deployment: Deployment
  readonly keys: Keys
  /** The most live keys of one integrator. */
  readonly maxKeys?: number
  readonly environment: Environment
  /** What is piped in, to its end. */
  readInput(): Promise<string>
}

type Options = Readonly<Record<string, unknown>>

const PAGE = 100

/** Loads the store when a command runs: a host that only serves never needs it, and its libraries are slow to load. */
const withStore = async <T>(
  { pool, clock, deployment, keys, maxKeys }: ApiKeyCommandDeps,
  work: (store: ApiKeyStore) => Promise<T>,
): Promise<T> => {
  const { ApiKeyStore: Store } = await import('./store/apiKeyStore.js')
  const limit = maxKeys === undefined ? {} : { maxKeys }
  return withKnex(pool, (db) => work(new Store({ db, clock, deployment, keys, ...limit })))
}

const textOption = (options: Options, name: string): string => {
  const text = options[name]
  if (typeof text !== 'string' || text.trim() === '') throw new Error(`Give --${name} with 1 to 100 characters.`)
  return text
}

/** The id of the integrator of that name, made when there is none. */
const integratorNamed = async (store: ApiKeyStore, name: string): Promise<string> =>
  ((await store.findIntegratorByName(name)) ?? (await store.createIntegrator({ name, actor: auditActor() }))).id

const newKeyOf = async (store: ApiKeyStore, options: Options) => ({
  integratorId: await integratorNamed(store, textOption(options, 'integrator')),
  label: textOption(options, 'label'),
  elevated: options.elevated === true,
  // Whoever may run commands vouches for what they make.
  trusted: options.untrusted !== true,
  actor: auditActor(),
})

/** The text of a key never stands on a command line, where other users of the machine see it. */
const readKey = async (deps: ApiKeyCommandDeps, variable: unknown): Promise<string> => {
  if (variable === undefined) return (await deps.readInput()).trim()
  const text = deps.environment.read(String(variable))
  if (text === undefined) throw new Error(`The environment variable ${String(variable)} is not set.`)
  return text
}

async function* allOf<Row>(read: (page: { limit: number; after?: string }) => Promise<Page<Row>>) {
  let after: string | null = null
  do {
    const page: Page<Row> = await read(after === null ? { limit: PAGE } : { limit: PAGE, after })
    yield* page.rows
    after = page.next
  } while (after !== null)
}

const OWNER = { flags: '--integrator <name>', description: 'Who owns it; made when new' }
const LABEL = { flags: '--label <text>', description: 'What it is for; its owner sees it in records of requests' }
const ELEVATED = { flags: '--elevated', description: 'Give it the higher rate limits' }
const UNTRUSTED = { flags: '--untrusted', description: 'Let its quotes hold no more than those of strangers' }
const ID = { name: 'id', description: 'Id of the key, from api-keys list', required: true }

const createCommand = (deps: ApiKeyCommandDeps): Command => ({
  name: 'api-keys create',
  description: 'Make an API key and show it once',
  options: [OWNER, LABEL, ELEVATED, UNTRUSTED],
  run: async ({ options, print }) => {
    const { id, apiKey } = await withStore(deps, async (store) => store.createKey(await newKeyOf(store, options)))
    print(`id:  ${id}`)
    print(`key: ${apiKey}`)
    print('Keep the key now; it is not shown again.')
  },
})

const importCommand = (deps: ApiKeyCommandDeps): Command => ({
  name: 'api-keys import',
  description: 'Store an API key brought from elsewhere, read from standard input or an environment variable',
  options: [
    OWNER,
    LABEL,
    ELEVATED,
    UNTRUSTED,
    { flags: '--from-env <variable>', description: 'Read the key from this environment variable' },
  ],
  run: async ({ options, print }) => {
    const apiKey = await readKey(deps, options.fromEnv)
    const { id } = await withStore(deps, async (store) =>
      store.importKey({ ...(await newKeyOf(store, options)), apiKey }),
    )
    print(`id:  ${id}`)
    print('The key was imported.')
  },
})

const at = (time: Date | null): string => time?.toISOString() ?? '-'

const listCommand = (deps: ApiKeyCommandDeps): Command => ({
  name: 'api-keys list',
  description: 'List API keys, newest first, without the keys themselves',
  options: [{ flags: '--integrator <name>', description: 'Only those of this integrator' }],
  run: async ({ options, print }) =>
    withStore(deps, async (store) => {
      const owner = options.integrator === undefined ? null : textOption(options, 'integrator')
      const integrator = owner === null ? null : await store.findIntegratorByName(owner)
      if (owner !== null && integrator === null) throw new Error(`There is no integrator "${owner}".`)
      const only = integrator === null ? {} : { integratorId: integrator.id }
      print(
        [
          ...['id', 'integrator', 'integrator id', 'label', 'limits', 'trusted', 'starts with'],
          ...['created', 'last used', 'revoked'],
        ].join('\t'),
      )
      for await (const key of allOf((page) => store.listKeys({ ...page, ...only }))) {
        const limits = key.elevated ? 'elevated' : 'default'
        const times = [key.createdAt, key.lastUsedAt, key.revokedAt].map(at)
        const { id, name } = key.integrator
        const facts = [key.label ?? '-', limits, key.trusted ? 'yes' : 'no', key.prefix ?? '-']
        print([key.id, name, id, ...facts, ...times].join('\t'))
      }
    }),
})

const renameCommand = (deps: ApiKeyCommandDeps): Command => ({
  name: 'api-keys rename',
  description: 'Give an API key another label, or none',
  arguments: [ID],
  options: [{ flags: '--label <text>', description: 'The new label; none when left out' }],
  run: async ({ arguments: [id = ''], options, print }) => {
    const label = options.label === undefined ? null : String(options.label)
    await withStore(deps, (store) => store.rename({ id, label, actor: auditActor() }))
    print(label === null ? `${id} has no label now.` : `${id} is "${label.trim()}" now.`)
  },
})

const elevationCommand = (deps: ApiKeyCommandDeps, elevated: boolean): Command => ({
  name: `api-keys ${elevated ? 'elevate' : 'unelevate'}`,
  description: elevated ? 'Give an API key the higher rate limits' : 'Take the higher rate limits from an API key',
  arguments: [ID],
  run: async ({ arguments: [id = ''], print }) => {
    await withStore(deps, (store) => store.setElevated({ id, elevated, actor: auditActor() }))
    print(`${id} has the ${elevated ? 'higher' : 'default'} rate limits; every host knows within five seconds.`)
  },
})

const trustCommand = (deps: ApiKeyCommandDeps, trusted: boolean): Command => ({
  name: `api-keys ${trusted ? 'trust' : 'distrust'}`,
  description: trusted
    ? 'Vouch for an API key: its quotes may hold all that is free'
    : 'Count what the quotes of an API key hold with those of strangers again',
  arguments: [ID],
  run: async ({ arguments: [id = ''], print }) => {
    await withStore(deps, (store) => store.setTrusted({ id, trusted, actor: auditActor() }))
    print(`${id} is ${trusted ? 'trusted' : 'not trusted'} now; every host knows within five seconds.`)
  },
})

const revokeCommand = (deps: ApiKeyCommandDeps): Command => ({
  name: 'api-keys revoke',
  description: 'Revoke an API key for good; it stops working within five seconds on every host',
  arguments: [ID],
  run: async ({ arguments: [id = ''], print }) => {
    const result = await withStore(deps, (store) => store.revoke({ id, actor: auditActor() }))
    print(`${id} ${result === 'revoked' ? 'is revoked' : 'was revoked before'}.`)
  },
})

const integratorsCreateCommand = (deps: ApiKeyCommandDeps): Command => ({
  name: 'integrators create',
  description: 'Make an integrator, who owns API keys',
  arguments: [{ name: 'name', description: '1 to 100 visible characters; no other may have it', required: true }],
  run: async ({ arguments: [name = ''], print }) => {
    const { id } = await withStore(deps, (store) => store.createIntegrator({ name, actor: auditActor() }))
    print(`id: ${id}`)
  },
})

const integratorsListCommand = (deps: ApiKeyCommandDeps): Command => ({
  name: 'integrators list',
  description: 'List integrators by name',
  options: [{ flags: '--search <text>', description: 'Only those whose name contains it' }],
  run: async ({ options, print }) =>
    withStore(deps, async (store) => {
      const search = options.search === undefined ? {} : { search: String(options.search) }
      print(['id', 'name', 'created'].join('\t'))
      for await (const { id, name, createdAt } of allOf((page) => store.findIntegrators({ ...page, ...search }))) {
        print([id, name, at(createdAt)].join('\t'))
      }
    }),
})

const rotateMasterCommand = (deps: ApiKeyCommandDeps): Command => ({
  name: 'api-keys rotate-master',
  description:
    'Seal every API key under keys.master in place of keys.previousMaster, with no pause; may be stopped and run again',
  run: async ({ print }) => {
    const { pool, keys, clock } = deps
    await rotateMaster({ pool, keys, clock, actor: auditActor(), print })
  },
})

/** `api-keys ...` and `integrators ...`. */
export const apiKeyCommands = (deps: ApiKeyCommandDeps): readonly Command[] => [
  createCommand(deps),
  importCommand(deps),
  listCommand(deps),
  renameCommand(deps),
  elevationCommand(deps, true),
  elevationCommand(deps, false),
  trustCommand(deps, true),
  trustCommand(deps, false),
  revokeCommand(deps),
  rotateMasterCommand(deps),
  integratorsCreateCommand(deps),
  integratorsListCommand(deps),
]
