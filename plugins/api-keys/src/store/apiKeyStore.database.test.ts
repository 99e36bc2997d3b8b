import { systemClock } from '@causeway/core'
import { EnvironmentKeys } from '@causeway/core/host'
import { API_KEYS_CHANNEL, findAudit, openKnex } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Knex } from 'knex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiKeyTables } from '../fixtures/apiKeyTables.js'
import { ApiKeyStore } from './apiKeyStore.js'

const keys = new EnvironmentKeys(new Map([['master' as const, `0x${'7'.repeat(64)}`]]))
const NOBODY = '00000000-0000-4000-8000-000000000000'
const actor = 'ada'

let database: TestDatabase
let db: Knex
let store: ApiKeyStore

beforeAll(async () => {
  database = await createTestDatabase({ packages: apiKeyTables })
  db = openKnex(database.pool)
  store = new ApiKeyStore({ db, clock: systemClock, deployment: { network: 'mainnet' }, keys, maxKeys: 3 })
})

afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const integrator = async (name: string) => (await store.createIntegrator({ name, actor })).id
const newKey = (integratorId: string, label: string | null = 'production') =>
  store.createKey({ integratorId, label, elevated: false, actor })

describe('integrators', () => {
  it('have one name each, of visible characters', async () => {
    const made = await store.createIntegrator({ name: '  Acme Ltd ', actor })
    expect(made).toEqual({ id: expect.any(String), name: 'Acme Ltd', createdAt: expect.any(Date) })
    await expect(store.createIntegrator({ name: 'Acme Ltd', actor })).rejects.toMatchObject({
      kind: 'exists',
      status: 409,
    })
    for (const name of ['', '   ', 'a\nb', 'a\u0000b', 'a\u202eb', 'x'.repeat(101)]) {
      await expect(store.createIntegrator({ name, actor })).rejects.toMatchObject({ kind: 'invalid', status: 400 })
    }
    expect(await store.findIntegrator(made.id)).toEqual(made)
    expect(await store.findIntegrator('no id')).toBeNull()
  })

  it('are found page by page, by a part of the name taken literally', async () => {
    for (const name of ['page c', 'page a', 'Page b', 'pa%ge']) await integrator(name)
    const first = await store.findIntegrators({ search: 'page', limit: 2 })
    const rest = await store.findIntegrators({ search: 'page', limit: 2, after: first.next ?? '' })
    expect([...first.rows, ...rest.rows].map(({ name }) => name).toSorted()).toEqual(['Page b', 'page a', 'page c'])
    expect(rest.next).toBeNull()
    expect((await store.findIntegrators({ search: 'a%g', limit: 9 })).rows.map(({ name }) => name)).toEqual(['pa%ge'])
  })
})

describe('keys', () => {
  it('are shown once; what is stored of one is its prefix, label, limits and times', async () => {
    const integratorId = await integrator('shown')
    const { id, apiKey } = await newKey(integratorId)
    expect(apiKey).toMatch(/^cct_live_[0-9A-Za-z]{43}$/)
    expect(await store.findKey(id)).toEqual({
      id,
      integrator: { id: integratorId, name: 'shown', createdAt: expect.any(Date) },
      label: 'production',
      prefix: apiKey.slice(0, 12),
      elevated: false,
      trusted: false,
      createdAt: expect.any(Date),
      revokedAt: null,
      lastUsedAt: null,
    })
    expect(await store.findKey(NOBODY)).toBeNull()
    expect(await store.findKey('no id')).toBeNull()
  })

  it('brought from elsewhere have no prefix, and none is brought twice, revoked or not, by whomever', async () => {
    const [one, other] = [await integrator('brings'), await integrator('brings too')]
    const brought = { label: null, elevated: true, actor, apiKey: 'legacy-key-0123456789' }
    const { id } = await store.importKey({ ...brought, integratorId: one })
    expect(await store.findKey(id)).toMatchObject({ prefix: null, label: null, elevated: true })
    const again = () => store.importKey({ ...brought, integratorId: other })
    await expect(again()).rejects.toMatchObject({ kind: 'exists', status: 409, message: 'This key exists already.' })
    await store.revoke({ id, actor })
    await expect(again()).rejects.toMatchObject({ kind: 'exists' })
    for (const apiKey of ['short', 'x'.repeat(129), 'with a blank in it!', 'ümlaut-0123456789']) {
      await expect(store.importKey({ ...brought, integratorId: one, apiKey })).rejects.toMatchObject({
        kind: 'invalid',
      })
    }
  })

  it('are renamed, elevated, trusted and revoked, each in the audit with who did it, and every host hears of it', async () => {
    const { id } = await newKey(await integrator('changes'), null)
    const heard: (string | undefined)[] = []
    const listener = await database.pool.connect()
    listener.on('notification', ({ payload }) => void heard.push(payload))
    await listener.query(`listen ${API_KEYS_CHANNEL}`)
    await store.rename({ id, label: ' staging ', actor: 'ada' })
    await store.rename({ id, label: 'staging', actor: 'ada' })
    await store.setElevated({ id, elevated: true, actor: 'bob' })
    expect(await store.findKey(id)).toMatchObject({ trusted: false })
    await store.setTrusted({ id, trusted: true, actor: 'ann' })
    await store.setTrusted({ id, trusted: true, actor: 'ann' })
    expect(await store.findKey(id)).toMatchObject({ trusted: true })
    await store.setTrusted({ id, trusted: false, actor: 'ann' })
    expect(await store.revoke({ id, actor: 'eve' })).toBe('revoked')
    expect(await store.revoke({ id, actor: 'eve' })).toBe('already revoked')
    await expect(store.setElevated({ id, elevated: false, actor })).rejects.toMatchObject({ kind: 'revoked' })
    await expect(store.setTrusted({ id, trusted: true, actor })).rejects.toMatchObject({ kind: 'revoked' })
    expect(await store.findKey(id)).toMatchObject({ label: 'staging', elevated: true, revokedAt: expect.any(Date) })
    const audit = await findAudit(database.pool, { subject: `api key ${id}`, limit: 10 })
    expect(audit.map((entry) => `${entry.actor}: ${entry.action}`)).toEqual([
      'eve: api-keys revoke',
      'ann: api-keys distrust',
      'ann: api-keys trust',
      'bob: api-keys elevate',
      'ada: api-keys rename',
      'ada: api-keys create',
    ])
    await expect.poll(() => heard).toEqual([id, id, id, id, id])
    listener.release(true)
  })

  it('labels have at most 100 visible characters', async () => {
    const integratorId = await integrator('labels')
    const { id } = await newKey(integratorId, '')
    expect((await store.findKey(id))?.label).toBeNull()
    await store.rename({ id, label: '🦊'.repeat(100), actor })
    for (const label of ['x'.repeat(101), 'a\tb', 'a\u200eb', 'a\ud800b']) {
      await expect(store.rename({ id, label, actor })).rejects.toMatchObject({ kind: 'invalid' })
    }
  })

  it('of one integrator are limited in number, however many are made at once; revoked ones do not count', async () => {
    const integratorId = await integrator('many')
    const made = await Promise.allSettled(Array.from({ length: 6 }, () => newKey(integratorId)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await expect(newKey(integratorId)).rejects.toMatchObject({ kind: 'full', status: 409 })
    const first = (await store.listKeys({ integratorId, limit: 1 })).rows[0]
    await store.revoke({ id: first?.id ?? '', actor })
    await newKey(integratorId)
  })

  it('are listed page by page, newest first, each once', async () => {
    const integratorId = await integrator('lists')
    const ids: string[] = []
    for (const label of ['a', 'b', 'c']) ids.unshift((await newKey(integratorId, label)).id)
    const first = await store.listKeys({ integratorId, limit: 2 })
    const rest = await store.listKeys({ integratorId, limit: 2, after: first.next ?? '' })
    expect([first.rows.length, rest.rows.length, rest.next]).toEqual([2, 1, null])
    expect([...first.rows, ...rest.rows].map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })

  it('of nobody, and unknown ones, are refused as such', async () => {
    await expect(newKey(NOBODY)).rejects.toMatchObject({ kind: 'unknown', status: 404 })
    await expect(newKey("' or 1=1")).rejects.toMatchObject({ kind: 'unknown' })
    await expect(store.rename({ id: NOBODY, label: 'x', actor })).rejects.toMatchObject({ kind: 'unknown' })
    await expect(store.revoke({ id: 'x', actor })).rejects.toMatchObject({ kind: 'unknown' })
  })

  it('nothing is stored where the audit cannot be', async () => {
    const integratorId = await integrator('unaudited')
    await expect(store.createKey({ integratorId, label: null, elevated: false, actor: '' })).rejects.toThrow()
    expect((await store.listKeys({ integratorId, limit: 9 })).rows).toEqual([])
  })
})
