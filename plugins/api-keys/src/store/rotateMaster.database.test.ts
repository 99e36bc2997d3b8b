import { systemClock } from '@causeway/core'
import type { KeyPurpose } from '@causeway/core/chain'
import { EnvironmentKeys } from '@causeway/core/host'
import { findAudit, masterMark, openKnex, SealedValues, withTransaction } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Knex } from 'knex'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ApiKeyAuth } from '../apiKeyAuth.js'
import { apiKeyTables } from '../fixtures/apiKeyTables.js'
import { ApiKeyStore } from './apiKeyStore.js'
import { KeyRing, type SealedKey } from './keyRing.js'
import { rotateMaster } from './rotateMaster.js'

const keysOf = (masters: Partial<Record<'master' | 'previousMaster', string>>) =>
  new EnvironmentKeys(
    new Map(Object.entries(masters).map(([purpose, digit]) => [purpose as KeyPurpose, `0x${digit.repeat(64)}`])),
  )

const OLD = keysOf({ master: '7' })
const BOTH = keysOf({ master: '8', previousMaster: '7' })
const BACK = keysOf({ master: '7', previousMaster: '8' })
const NEW = keysOf({ master: '8' })
const THIRD = keysOf({ master: '9', previousMaster: '7' })
const actor = 'ada'

let database: TestDatabase
let db: Knex
let integratorId: string
const made: string[] = []

beforeAll(async () => {
  database = await createTestDatabase({ packages: apiKeyTables })
  db = openKnex(database.pool)
  await database.pool.query(`insert into deployment (network, master_mark) values ('testnet', $1)`, [masterMark(OLD)])
  integratorId = (await storeWith(OLD).createIntegrator({ name: 'Acme', actor })).id
  for (let count = 0; count < 7; count += 1) await createKey(OLD)
  // As they were stored before rows said which master key they are under.
  await database.pool.query('update api_keys set master_mark = null')
})

afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const storeWith = (keys: EnvironmentKeys) =>
  new ApiKeyStore({ db, clock: systemClock, deployment: { network: 'testnet' }, keys })

const createKey = async (keys: EnvironmentKeys) => {
  made.push((await storeWith(keys).createKey({ integratorId, label: null, elevated: false, actor })).apiKey)
}

/** How many of the keys a host that just started accepts. */
const accepted = async (keys: EnvironmentKeys): Promise<number> => {
  const auth = new ApiKeyAuth({ pool: database.pool, ring: new KeyRing(keys), now: () => 0, onUse: () => undefined })
  const answers = await Promise.allSettled(made.map((key) => auth.authenticate(key)))
  return answers.filter(({ status }) => status === 'fulfilled').length
}

const rotate = async (keys: EnvironmentKeys, print: (line: string) => void = () => undefined) =>
  rotateMaster({ pool: database.pool, keys, clock: systemClock, actor, batch: 3, print })

const marks = async () =>
  (await database.pool.query('select master_mark as current, next_master_mark as next from deployment')).rows[0]

/** As the first host with two keys does. */
const announce = (keys: EnvironmentKeys | null) =>
  database.pool.query('update deployment set announced_master_mark = $1', [keys === null ? null : masterMark(keys)])

it('a new key that hosts do not wait for is refused before anything is sealed under it, until theirs is given up', async () => {
  await announce(NEW)
  await expect(rotate(THIRD)).rejects.toThrow(/another new master key.*fingerprints/)
  expect([await marks(), await accepted(OLD)]).toEqual([{ current: masterMark(OLD), next: null }, made.length])
  await rotate(OLD)
  const { rows } = await database.pool.query('select announced_master_mark as announced from deployment')
  expect(rows).toEqual([{ announced: null }])
  const [entry] = await findAudit(database.pool, { subject: 'master key', limit: 1 })
  expect(entry?.details).toMatchObject({ step: 'given up', from: masterMark(NEW) })
  await announce(NEW)
})

it('no valid key is ever refused while the master key is rotated and hosts restart in any order (architecture.md 6)', async () => {
  // Step 1: hosts restart one by one with both keys; what either stores, both know.
  await createKey(BOTH)
  await createKey(OLD)
  await putValue(OLD, VALUES.first, 'one')
  await putValue(BOTH, VALUES.second, 'two')
  expect([await accepted(OLD), await accepted(BOTH)]).toEqual([made.length, made.length])

  // Step 2: the rotation, killed in its middle.
  const lines: string[] = []
  const killed = rotate(BOTH, (line) => {
    lines.push(line)
    if (lines.length === 2) throw new Error('killed')
  })
  await expect(killed).rejects.toThrow('killed')
  expect(lines).toEqual([
    '3 of 9 keys are sealed under the new master key.',
    '6 of 9 keys are sealed under the new master key.',
  ])
  expect(await marks()).toEqual({ current: masterMark(OLD), next: masterMark(NEW) })
  await createKey(BOTH)
  await createKey(BACK)
  expect([await accepted(BOTH), await accepted(BACK)]).toEqual([made.length, made.length])
  await expect(createKey(OLD)).rejects.toThrow(/does not hold the master key/)
  await expect(rotate(THIRD)).rejects.toThrow(/a third one/)
  const apiKey = made[8] ?? ''
  const twice = storeWith(BOTH).importKey({ integratorId, label: null, elevated: false, actor, apiKey })
  await expect(twice).rejects.toMatchObject({ kind: 'exists' })

  await rotate(BOTH, (line) => lines.push(line))
  expect(lines.slice(2)).toEqual([
    '3 of 3 keys are sealed under the new master key.',
    expect.stringContaining('"keys.previousMaster" can be removed'),
  ])
  expect(await marks()).toEqual({ current: masterMark(NEW), next: null })

  // Step 3: hosts restart without the previous key.
  await createKey(NEW)
  expect([await accepted(BOTH), await accepted(NEW), await accepted(OLD)]).toEqual([made.length, made.length, 0])
})

const VALUES = { first: '00000000-0000-4000-8000-000000000001', second: '00000000-0000-4000-8000-000000000002' }
const valuesWith = (keys: EnvironmentKeys) => new SealedValues({ pool: database.pool, keys })
const putValue = (keys: EnvironmentKeys, id: string, text: string) =>
  withTransaction(database.pool, (client) => valuesWith(keys).put(client, id, text))

it('every key can be read under the new master key, and the row still belongs to its id', async () => {
  const ring = new KeyRing(NEW)
  const { rows } = await database.pool.query<SealedKey>('select * from api_keys')
  expect(rows.map((row) => ring.open(row)).toSorted()).toEqual(made.toSorted())
  const [row, other] = rows
  if (row === undefined || other === undefined) throw new Error('There are two keys.')
  expect(() => ring.open({ ...row, id: other.id })).toThrow()
  expect(() => new KeyRing(OLD).open(row)).toThrow(/does not hold/)
})

it('secrets that plugins sealed move along, and open in no other place', async () => {
  const ids = Object.values(VALUES)
  expect([...(await valuesWith(NEW).get(ids))]).toEqual([
    [VALUES.first, 'one'],
    [VALUES.second, 'two'],
  ])
  await expect(valuesWith(OLD).get(ids)).rejects.toThrow(/does not hold/)
  await database.pool.query(
    'update sealed_values a set ciphertext = b.ciphertext from sealed_values b where a.id <> b.id',
  )
  await expect(valuesWith(NEW).get(ids)).rejects.toThrow()
})

it('a second run has nothing to do; the audit has one begin and one end', async () => {
  await rotate(NEW)
  const entries = await findAudit(database.pool, { subject: 'master key', limit: 10 })
  expect(entries.map(({ details }) => details.step)).toEqual(['done', 'begun', 'given up'])
})

it('another new key than that of the rotation changes nothing once that is done', async () => {
  await expect(rotate(THIRD)).rejects.toThrow(/neither "keys.master" nor/)
  expect([await marks(), await accepted(NEW)]).toEqual([{ current: masterMark(NEW), next: null }, made.length])
})

it('only one process rotates at a time', async () => {
  const holder = await database.pool.connect()
  await holder.query(`select pg_advisory_lock(hashtext('causeway/rotate-master'))`)
  await expect(rotate(BOTH)).rejects.toThrow(/Another process/)
  await holder.query('select pg_advisory_unlock_all()')
  holder.release()
})

it('goes back with the two keys changed over, also from the middle', async () => {
  await expect(
    rotate(BACK, () => {
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  await rotate(BOTH)
  expect([await marks(), await accepted(NEW)]).toEqual([{ current: masterMark(NEW), next: null }, made.length])
})
