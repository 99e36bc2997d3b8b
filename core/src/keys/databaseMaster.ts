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
  {
    name: '0004_announced_master',
    up: `
-- The new key of the hosts that hold two, from the first of them until rows are sealed under it.
alter table deployment add column announced_master_mark text;
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
  /** The one that hosts with two keys wait for; null before the first of them, and while rows are sealed anew. */
  readonly announced: string | null
}

/** The marks of the master keys that a process holds. */
export interface HeldMasters {
  readonly master: string | null
  readonly previous: string | null
}

/** Marks of what a process holds. */
export const heldMasters = (keys: Pick<Keys, 'has' | 'derive'>): HeldMasters => ({
  master: masterMark(keys),
  previous: masterMark(keys, 'previousMaster'),
})

const COMPARE = 'compare the fingerprints (`causeway keys list`, the column "address")'
const OTHER_MASTER =
  'This database was made under another master key; the API keys in it cannot be read with this one. Use the key that belongs to it, or another database. To put this key in the place of that one, name that one as "keys.previousMaster".'
const NEITHER_MASTER = `The API keys in this database are under a master key that is neither "keys.master" nor "keys.previousMaster" of this process. Where they were moved to another new key, this process needs that very key: ${COMPARE} with those of the keystore from which they were moved, and take it from there with \`causeway keys copy --replace\`.`
const BOTH_MASTERS =
  'This database is being moved from one master key to another, and this process has one of them only. Give it both, as "keys.master" and "keys.previousMaster", until `causeway api-keys rotate-master` is done.'
const OTHER_ROTATION = `This database is being moved from one master key to another, and "keys.master" or "keys.previousMaster" of this process is a third one. One new key is needed everywhere: ${COMPARE}, and take it with \`causeway keys copy --replace\` from a keystore that has the right one.`
const OTHER_ANNOUNCED = `Hosts of this database were started with another new master key than "keys.master" of this process. One new key is needed everywhere, or API keys are refused: ${COMPARE}, and take it with \`causeway keys copy --replace\` from a keystore that has the right one. To give that one up, start every host with the present key alone and run \`causeway api-keys rotate-master\` with it.`

/** Why a process with these master keys must not work on the database; null where it may, and where it holds none. */
export const refuseMasters = (
  { master, previous }: HeldMasters,
  { current, next, announced }: MasterMarks,
): string | null => {
  if (master === null || current === null) return null
  const holds = (mark: string | null): boolean => mark === null || mark === master || mark === previous
  if (next !== null) {
    if (holds(current) && holds(next)) return null
    return previous === null ? BOTH_MASTERS : OTHER_ROTATION
  }
  if (!holds(current)) return previous === null ? OTHER_MASTER : NEITHER_MASTER
  return master === current || announced === null || announced === master ? null : OTHER_ANNOUNCED
}

const MARK_COLUMNS = 'master_mark as current, next_master_mark as next, announced_master_mark as announced'
const NO_MARKS: MasterMarks = { current: null, next: null, announced: null }

/** Reads the marks without a lock, to look at them. */
export const readMasterMarks = async (run: RunQuery): Promise<MasterMarks> =>
  (await run(`select ${MARK_COLUMNS} from deployment`)).rows[0] ?? NO_MARKS

/** Runs a statement in the transaction of the caller; of pg or knex alike. */
export type RunQuery = (text: string) => Promise<{ readonly rows: readonly MasterMarks[] }>

/**
 * Reads the marks and holds them until the transaction ends: `share` for who seals rows under them, `update` for who
 * changes them.
 */
export const lockMasterMarks = async (run: RunQuery, lock: 'share' | 'update'): Promise<MasterMarks> => {
  const { rows } = await run(`select ${MARK_COLUMNS} from deployment for ${lock}`)
  return rows[0] ?? NO_MARKS
}
