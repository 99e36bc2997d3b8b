import type { MasterPurpose } from '../chain/signer.js'
import type { Keys } from '../container/coreTokens.js'
import type { Migration } from '../database/migrate.js'

/**
 * What a database belongs to, so that no other deployment runs on it by mistake, and the master key its rows are sealed
 * under. Run by the host, as its own; here because plugins that seal rows read it.
 */
export const deploymentMigrations: readonly Migration[] = [
  {
    name: '0001_deployment',
    up: `
create table deployment (
  one boolean primary key default true check (one),
  network text not null check (network in ('mainnet', 'testnet')),
  master_mark text
);
`,
  },
  {
    name: '0002_next_master',
    up: `
-- Set while rows are sealed anew; then a process needs both keys.
alter table deployment add column next_master_mark text;
`,
  },
  {
    name: '0003_sealed_values',
    up: `
-- Secrets of plugins, each under the master key of its mark; opened by id only.
create table sealed_values (
  id uuid primary key,
  ciphertext bytea not null,
  master_mark text not null
);
`,
  },
]

/** Recognises a master key without telling anything of it; null where this process does not hold it. */
export const masterMark = (keys: Pick<Keys, 'has' | 'derive'>, purpose: MasterPurpose = 'master'): string | null =>
  keys.has(purpose) ? Buffer.from(keys.derive('host/database-mark', purpose)).subarray(0, 8).toString('hex') : null

/** The marks of the master keys that the rows of a database are sealed under. */
export interface MasterMarks {
  /** Null before the first process with a master key. */
  readonly current: string | null
  /** The one that takes its place; null but while rows are sealed anew. */
  readonly next: string | null
}

/** Runs a statement in the transaction of the caller; of pg or knex alike. */
export type RunQuery = (text: string) => Promise<{ readonly rows: readonly MasterMarks[] }>

/**
 * Reads the marks and holds them until the transaction ends: `share` for who seals rows under them, `update` for who
 * changes them.
 */
export const lockMasterMarks = async (run: RunQuery, lock: 'share' | 'update'): Promise<MasterMarks> => {
  const { rows } = await run(`select master_mark as current, next_master_mark as next from deployment for ${lock}`)
  return rows[0] ?? { current: null, next: null }
}
