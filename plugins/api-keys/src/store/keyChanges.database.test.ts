import { systemClock } from '@causeway/core'
import { EnvironmentKeys } from '@causeway/core/host'
import { API_KEYS_CHANNEL, type Caller, openKnex, PostgresNotifier } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Knex } from 'knex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiKeyAuth } from '../apiKeyAuth.js'
import { apiKeyTables } from '../fixtures/apiKeyTables.js'
import { ApiKeyStore } from './apiKeyStore.js'
import { KeyRing } from './keyRing.js'

const WITHIN_MS = 5000
/** Between two calls with the key, by the clock of the hosts. */
const EVERY_MS = 100
const keys = new EnvironmentKeys(new Map([['master' as const, `0x${'7'.repeat(64)}`]]))
const actor = 'ada'

let database: TestDatabase
let db: Knex
let store: ApiKeyStore
let integratorId: string
const stop = new AbortController()
const hosts: Record<string, ApiKeyAuth> = {}
/** By the clock of the hosts, which goes on when a test says so. */
let nowMs = 0

/** A host's auth with a notifier of its own, listening. */
const startAuth = async (signal: AbortSignal): Promise<ApiKeyAuth> => {
  const now = () => nowMs
  const auth = new ApiKeyAuth({ pool: database.pool, ring: new KeyRing(keys), now, onUse: () => undefined })
  const notifier = new PostgresNotifier({ connectionString: database.url })
  notifier.on(API_KEYS_CHANNEL, () => auth.forget(), signal)
  await new Promise<void>((resolve) => {
    notifier.on(API_KEYS_CHANNEL, () => resolve(), signal)
    void notifier.run(signal)
  })
  return auth
}

beforeAll(async () => {
  database = await createTestDatabase({ packages: apiKeyTables })
  db = openKnex(database.pool)
  store = new ApiKeyStore({ db, clock: systemClock, deployment: { network: 'testnet' }, keys })
  integratorId = (await store.createIntegrator({ name: 'Acme', actor })).id
  const cut = new AbortController()
  hosts.hears = await startAuth(stop.signal)
  hosts['hears nothing any more'] = await startAuth(cut.signal)
  cut.abort()
})

afterAll(async () => {
  stop.abort()
  await db.destroy()
  await database.drop()
})

/** What a host says of a key: its caller, or null for a refusal. */
const known = (auth: ApiKeyAuth, apiKey: string): Promise<Caller | null> => auth.authenticate(apiKey).catch(() => null)

const CHANGES = {
  'a revocation': {
    make: (id: string) => store.revoke({ id, actor }),
    seen: (caller: Caller | null) => caller === null,
  },
  'a rename': {
    make: (id: string) => store.rename({ id, label: 'after', actor }),
    seen: (caller: Caller | null) => caller?.kind === 'integrator' && caller.keyName === 'after',
  },
  'an elevation': {
    make: (id: string) => store.setElevated({ id, elevated: true, actor }),
    seen: (caller: Caller | null) => caller?.kind === 'integrator' && caller.elevated,
  },
  'an operator who vouches for it': {
    make: (id: string) => store.setTrusted({ id, trusted: true, actor }),
    seen: (caller: Caller | null) => caller?.kind === 'integrator' && caller.trusted === true,
  },
}

describe.each(Object.entries(CHANGES))('%s (wire.md H.1)', (_, { make, seen }) => {
  /** A key that a host has just accepted, changed since; whether the host knows of it. */
  const change = async (name: string): Promise<() => Promise<boolean>> => {
    const auth = hosts[name]
    if (auth === undefined) throw new Error(`There is no host that ${name}.`)
    const { id, apiKey } = await store.createKey({ integratorId, label: 'before', elevated: false, actor })
    expect(seen(await known(auth, apiKey))).toBe(false)
    await make(id)
    return async () => seen(await known(auth, apiKey))
  }

  it('works at once on a host that hears of it: its clock stands still', async () => {
    const isKnown = await change('hears')
    await expect.poll(isKnown, { interval: 20 }).toBe(true)
  })

  it('works within five seconds on a busy host that hears nothing any more', async () => {
    const isKnown = await change('hears nothing any more')
    const begun = nowMs
    // The key is in use all the time, which must not make it trusted for longer.
    while (nowMs < begun + WITHIN_MS) {
      await isKnown()
      nowMs += EVERY_MS
    }
    expect(await isKnown()).toBe(true)
  })
})
