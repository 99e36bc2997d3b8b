import { userInfo } from 'node:os'
import type { Knex } from 'knex'
import type { Pool, PoolClient } from 'pg'
import type { Json } from '../chain/json.js'

/** Something an operator did by hand. */
export interface AuditEntry {
  /** Unix milliseconds. */
  readonly at: number
  /** Operating system user, from `auditActor`; or who signed in, as the caller names them. */
  readonly actor: string
  /** What was done, as the command line calls it: `lanes release`. */
  readonly action: string
  /** What it was done to, with its kind: `lane 8453 0xabc...`, `deposit 12`. */
  readonly subject: string
  /** The reason given and everything needed to judge it later; amounts as decimal text, never a secret. */
  readonly details: { readonly [key: string]: Json }
}

export interface StoredAuditEntry extends AuditEntry {
  readonly id: string
}

/** Name of the operating system user this process runs as; the user id where it has no name. */
export const auditActor = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Adds a row, in the transaction of what it tells of: either both are stored or neither. */
export const recordAudit = async (client: PoolClient, entry: AuditEntry): Promise<void> => {
  await client.query(
    `insert into operator_audit (at, actor, action, subject, details) values (to_timestamp($1 / 1000.0), $2, $3, $4, $5::jsonb)`,
    [entry.at, entry.actor, entry.action, entry.subject, JSON.stringify(entry.details)],
  )
}

/** `recordAudit` for what administers through knex. */
export const recordAuditIn = async (trx: Knex.Transaction, { at, details, ...entry }: AuditEntry): Promise<void> => {
  await trx('operator_audit').insert({ ...entry, at: new Date(at), details: JSON.stringify(details) })
}

/** What was done to a subject, newest first; to anything when none is named. `before` is the id of an entry. */
export const findAudit = async (
  db: Pool | PoolClient,
  { subject, before, limit }: { readonly subject?: string; readonly before?: string; readonly limit: number },
): Promise<StoredAuditEntry[]> => {
  const { rows } = await db.query<Omit<StoredAuditEntry, 'at'> & { at: Date }>(
    `select id::text as id, at, actor, action, subject, details from operator_audit
     where ($1::text is null or subject = $1) and ($2::bigint is null or id < $2) order by operator_audit.id desc limit $3`,
    [subject ?? null, before ?? null, limit],
  )
  return rows.map((row) => ({ ...row, at: row.at.getTime() }))
}
