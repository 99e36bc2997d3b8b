import type { Clock } from '@causeway/core'
import {
  heldMasters,
  type Keys,
  lockMasterMarks,
  recordAudit,
  refuseMasters,
  SealedValues,
  withTransaction,
} from '@causeway/core/plugin'
import type { Pool, PoolClient } from 'pg'
import { type KeyRing, openKeyRing, type SealedKey } from './keyRing.js'
import { KEY_VERSION } from './keyVault.js'

export interface RotateMasterDeps {
  readonly pool: Pool
  readonly keys: Keys
  readonly clock: Clock
  /** Who does it, for the audit. */
  readonly actor: string
  /** Keys of one transaction. Default 500. */
  readonly batch?: number
  print(line: string): void
}

const BATCH = 500
const LOCK = `hashtext('causeway/rotate-master')`
const ACTION = 'api-keys rotate-master'

/** One rotation at a time; the lock goes with its connection, so a process that was killed holds none. */
const alone = async (pool: Pool, work: () => Promise<void>): Promise<void> => {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ free: boolean }>(`select pg_try_advisory_lock(${LOCK}) as free`)
    if (rows[0]?.free !== true) throw new Error('Another process is sealing the keys anew.')
    await work().finally(() => client.query(`select pg_advisory_unlock(${LOCK})`))
  } finally {
    client.release(true)
  }
}

const audit = (client: PoolClient, { clock, actor }: RotateMasterDeps, details: Record<string, string | null>) =>
  recordAudit(client, { at: clock.now(), actor, action: ACTION, subject: 'master key', details })

/**
 * From here on new rows are written under the new key, and no process starts that lacks one of the two. Refused where hosts wait for
 * another new key, or where the keys of the database are others. With the present key alone it gives up what hosts waited for.
 */
const begin = (deps: RotateMasterDeps, to: string): Promise<void> =>
  withTransaction(deps.pool, async (client) => {
    const marks = await lockMasterMarks((text) => client.query(text), 'update')
    const { current, next, announced } = marks
    if (current === null) throw new Error('This database was not used with a master key yet.')
    const refusal = refuseMasters(heldMasters(deps.keys), marks)
    if (refusal !== null) throw new Error(refusal)
    if (next === to) return
    const isBegun = next !== null || current !== to
    if (!isBegun && announced === null) return
    await client.query('update deployment set next_master_mark = $1, announced_master_mark = null', [
      isBegun ? to : null,
    ])
    await audit(
      client,
      deps,
      isBegun ? { step: 'begun', from: current, to } : { step: 'given up', from: announced, to },
    )
  })

/** Seals up to `limit` rows under the present key and gives their number. */
const sealSome = (pool: Pool, ring: KeyRing, to: string, limit: number): Promise<number> =>
  withTransaction(pool, async (client) => {
    const vault = ring.writing({ current: to, next: null })
    const { rows } = await client.query<SealedKey>(
      `select id, version, ciphertext, master_mark from api_keys
       where master_mark is distinct from $1 order by id limit $2 for update`,
      [to, limit],
    )
    const sealed = rows.map((row) => {
      const apiKey = ring.open(row)
      return { id: row.id, hmac: vault.lookup(apiKey), ciphertext: vault.seal(row.id, apiKey) }
    })
    await client.query(
      `update api_keys k set version = $4, master_mark = $5, hmac = n.hmac, ciphertext = n.ciphertext
       from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as n (id, hmac, ciphertext) where k.id = n.id`,
      [
        sealed.map(({ id }) => id),
        sealed.map(({ hmac }) => hmac),
        sealed.map(({ ciphertext }) => ciphertext),
        KEY_VERSION,
        to,
      ],
    )
    return rows.length
  })

const countLeft = async (pool: Pool, to: string): Promise<number> => {
  const { rows } = await pool.query<{ left: number }>(
    'select count(*)::int as left from api_keys where master_mark is distinct from $1',
    [to],
  )
  return rows[0]?.left ?? 0
}

/** The new key is the key of the database, once no row is left under another. */
const finish = (deps: RotateMasterDeps, to: string): Promise<void> =>
  withTransaction(deps.pool, async (client) => {
    const { current, next } = await lockMasterMarks((text) => client.query(text), 'update')
    if (next === null) return
    const { rowCount } = await client.query(
      `update deployment set master_mark = $1, next_master_mark = null
       where not exists (select from api_keys where master_mark is distinct from $1)
         and not exists (select from sealed_values where master_mark <> $1)`,
      [to],
    )
    if (rowCount !== 1) throw new Error('Keys appeared under the previous master key; run this again.')
    await audit(client, deps, { step: 'done', from: current, to })
  })

/**
 * Seals every key anew under `keys.master` and makes it the master key of the database. Keys stay valid throughout on hosts
 * that hold both. May be killed at any time and run again; also back, with the two keys changed over.
 */
export const rotateMaster = async (deps: RotateMasterDeps): Promise<void> => {
  const { pool, keys, print, batch = BATCH } = deps
  const ring = openKeyRing(keys)
  const to = heldMasters(keys).master
  if (to === null) throw new Error('This process has no master key.')
  await alone(pool, async () => {
    await begin(deps, to)
    const all = await countLeft(pool, to)
    let done = 0
    for (let count = await sealSome(pool, ring, to, batch); count > 0; count = await sealSome(pool, ring, to, batch)) {
      done += count
      print(`${done} of ${all} keys are sealed under the new master key.`)
    }
    const values = new SealedValues({ pool, keys })
    while ((await values.reseal(to, batch)) > 0);
    await finish(deps, to)
    print('Every key is under "keys.master"; "keys.previousMaster" can be removed from the configuration.')
  })
}
