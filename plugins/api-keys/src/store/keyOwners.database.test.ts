import { systemClock } from '@causeway/core'
import { EnvironmentKeys } from '@causeway/core/host'
import { ANONYMOUS, type Caller, openKnex } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Knex } from 'knex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiKeyTables } from '../fixtures/apiKeyTables.js'
import { ApiKeyStore } from './apiKeyStore.js'
import { KeyOwners } from './keyOwners.js'
import { KeyRing } from './keyRing.js'

const keys = new EnvironmentKeys(new Map([['master' as const, `0x${'7'.repeat(64)}`]]))
const actor = 'ada'
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

let database: TestDatabase
let db: Knex
let store: ApiKeyStore
let owners: KeyOwners
let now = 0
let acme: Owner
let beta: Owner

beforeAll(async () => {
  database = await createTestDatabase({ packages: apiKeyTables })
  db = openKnex(database.pool)
  store = new ApiKeyStore({ db, clock: systemClock, deployment: { network: 'testnet' }, keys })
  owners = new KeyOwners({ pool: database.pool, ring: new KeyRing(keys), now: () => now })
  acme = await newOwner('Acme')
  beta = await newOwner('Beta')
})

afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const newOwner = async (name: string) => {
  const { id: integratorId } = await store.createIntegrator({ name, actor })
  const key = (label: string | null) => store.createKey({ integratorId, label, elevated: false, actor })
  const [first, second] = [await key('first'), await key(null)]
  const caller: Caller = { kind: 'integrator', integratorId, apiKeyId: first.id, keyName: 'first', elevated: false }
  return { caller, first, second, integratorId }
}
type Owner = Awaited<ReturnType<typeof newOwner>>

const FORBIDDEN = { code: 'FORBIDDEN', status: 403, message: 'The API key named is not one of yours' }

describe('keys that a caller names (wire.md K.3 3)', () => {
  it('are its own, by text or id, in the order given', async () => {
    const { caller, first, second } = acme
    const named = [second.apiKey, first.id.toUpperCase(), second.id, first.apiKey]
    expect(await owners.ownedKeyIds(caller, named)).toEqual([second.id, first.id, second.id, first.id])
    expect(await owners.ownedKeyIds(caller, [first.id])).toEqual([first.id])
    expect(await owners.ownedKeyIds(caller, [])).toEqual([])
  })

  it('one brought from elsewhere may look like an id', async () => {
    const apiKey = '11111111-2222-4333-8444-555555555555'
    const key = { integratorId: acme.integratorId, label: null, elevated: false, actor, apiKey }
    const { id } = await store.importKey(key)
    expect(await owners.ownedKeyIds(acme.caller, [apiKey])).toEqual([id])
  })

  it('still belong to their integrator when revoked', async () => {
    const { caller, second } = beta
    await store.revoke({ id: second.id, actor })
    expect(await owners.ownedKeyIds(caller, [second.apiKey, second.id])).toEqual([second.id, second.id])
  })

  it.each([
    ['foreign, by text', () => beta.first.apiKey],
    ['foreign, by id', () => beta.first.id],
    ['an unknown id', () => UNKNOWN_ID],
    ['an unknown key', () => `cct_test_${'A'.repeat(43)}`],
    ['neither', () => "' or 1=1"],
    ['empty', () => ''],
    ['very long', () => 'x'.repeat(100_000)],
  ])('are 403 where one of them is %s, in the same words', async (_, named) => {
    await expect(owners.ownedKeyIds(acme.caller, [acme.first.id, named()])).rejects.toMatchObject(FORBIDDEN)
  })

  it('are nobody’s where the caller has no key, or got it for the origin of a browser', async () => {
    await expect(owners.ownedKeyIds(ANONYMOUS, [acme.first.apiKey])).rejects.toMatchObject(FORBIDDEN)
    const proxied: Caller = {
      kind: 'integrator',
      integratorId: acme.integratorId,
      apiKeyId: acme.first.id,
      keyName: null,
      elevated: false,
      proxied: true,
    }
    await expect(owners.ownedKeyIds(proxied, [acme.first.apiKey])).rejects.toMatchObject(FORBIDDEN)
    await expect(owners.ownedKeyIds(proxied, [acme.first.id])).rejects.toMatchObject(FORBIDDEN)
  })
})

describe('names of keys', () => {
  it('are those of now, null without one; unknown ids are left out', async () => {
    const { first, second } = acme
    const names = await owners.keyNames([first.id, second.id, UNKNOWN_ID, 'no id'])
    expect([...names]).toEqual(
      expect.arrayContaining([
        [first.id, 'first'],
        [second.id, null],
      ]),
    )
    expect(names.size).toBe(2)
  })

  it('are known by a rename within five seconds where its notice is lost, and at once where it is heard', async () => {
    const { first } = beta
    const nameOf = async () => (await owners.keyNames([first.id])).get(first.id)
    expect(await nameOf()).toBe('first')
    await store.rename({ id: first.id, label: 'renamed', actor })
    now += 5000
    expect(await nameOf()).toBe('renamed')
    await store.rename({ id: first.id, label: 'again', actor })
    owners.forget()
    expect(await nameOf()).toBe('again')
  })
})
