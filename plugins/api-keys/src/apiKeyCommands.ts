import { type Clock, type Command, type Deployment, withKnex } from '@causeway/core'
import type { Pool } from 'pg'
import { isApiKey, newApiKey } from './apiKeyFormat.js'
import type { ApiKeyStore } from './apiKeyStore.js'
import type { KeyVault } from './keyVault.js'

export interface ApiKeyCommandDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly deployment: Deployment
  /** Throws without a master key; asked for by what needs it only. */
  vault(): KeyVault
  environment: Readonly<Record<string, string | undefined>>
}

const MAX_TEXT = 100

const textOption = (options: Readonly<Record<string, unknown>>, name: string): string => {
  const text = options[name]
  if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_TEXT) {
    throw new Error(`Give --${name} with 1 to ${MAX_TEXT} characters.`)
  }
  return text.trim()
}

const importedKey = (deps: ApiKeyCommandDeps, variable: unknown): string | undefined => {
  if (variable === undefined) return undefined
  const text = deps.environment[String(variable)]
  if (text === undefined) throw new Error(`The environment variable ${String(variable)} is not set.`)
  if (!isApiKey(text)) throw new Error(`${String(variable)} must hold 16 to 128 visible ASCII characters.`)
  return text
}

/** Loads the store when a command runs: a host that only serves never needs it, and its libraries are slow to load. */
const withStore = async <T>(
  { pool, clock }: ApiKeyCommandDeps,
  work: (store: ApiKeyStore) => Promise<T>,
): Promise<T> => {
  const { ApiKeyStore: Store } = await import('./apiKeyStore.js')
  return withKnex(pool, (db) => work(new Store({ db, clock })))
}

const createCommand = (deps: ApiKeyCommandDeps): Command => ({
  name: 'api-keys create',
  description: 'Make an API key and show it once',
  options: [
    { flags: '--integrator <name>', description: 'Who owns it; made when new' },
    { flags: '--label <text>', description: 'What it is for; shows in records of its owner' },
    { flags: '--elevated', description: 'Give it the higher rate limits' },
    {
      flags: '--from-env <variable>',
      description: 'Take the key from this environment variable instead of making one',
    },
  ],
  run: async ({ options, print }) => {
    const integrator = textOption(options, 'integrator')
    const label = textOption(options, 'label')
    const imported = importedKey(deps, options.fromEnv ?? options['from-env'])
    const apiKey = imported ?? newApiKey(deps.deployment.network)
    const vault = deps.vault()
    const key = { integrator, label, elevated: options.elevated === true, apiKey }
    const { id } = await withStore(deps, (store) => store.create(key, vault))
    print(`id:  ${id}`)
    if (imported === undefined) print(`key: ${apiKey}`)
    print(imported === undefined ? 'Keep the key now; it is not shown again.' : 'The key was imported.')
  },
})

const day = (at: Date | null): string => at?.toISOString() ?? '-'

const listCommand = (deps: ApiKeyCommandDeps): Command => ({
  name: 'api-keys list',
  description: 'List API keys, without the keys themselves',
  run: async ({ print }) => {
    const rows = await withStore(deps, (store) => store.list())
    print(['id', 'integrator', 'integrator id', 'label', 'limits', 'created', 'last used', 'revoked'].join('\t'))
    for (const row of rows) {
      const limits = row.elevated ? 'elevated' : 'default'
      const times = [row.created_at, row.last_used_at, row.revoked_at].map(day)
      print([row.id, row.integrator?.name ?? '-', row.integrator_id, row.name ?? '-', limits, ...times].join('\t'))
    }
  },
})

const revokeCommand = (deps: ApiKeyCommandDeps): Command => ({
  name: 'api-keys revoke',
  description: 'Revoke an API key; it stops working within five seconds on every host',
  arguments: [{ name: 'id', description: 'Id of the key, from api-keys list', required: true }],
  run: async ({ arguments: [id = ''], print }) => {
    if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
      throw new Error('Give the id as api-keys list shows it.')
    const result = await withStore(deps, (store) => store.revoke(id))
    if (result === 'unknown') throw new Error(`There is no key ${id}.`)
    print(`${id} ${result === 'revoked' ? 'is revoked' : 'was revoked before'}.`)
  },
})

/** `api-keys create`, `api-keys list` and `api-keys revoke`. */
export const apiKeyCommands = (deps: ApiKeyCommandDeps): readonly Command[] => [
  createCommand(deps),
  listCommand(deps),
  revokeCommand(deps),
]
