import type { Diagnosis } from '@causeway/core/chain'
import type { Pool } from 'pg'

/** What a server tells of its standbys; null where its user may not see how one is kept. */
export interface ReplicationFacts {
  readonly recovery: boolean
  /** The setting `synchronous_commit`. */
  readonly commit: string
  /** The setting `synchronous_standby_names`. */
  readonly names: string
  /** `sync_state` of each connected standby. */
  readonly standbys: readonly (string | null)[]
}

const CHECK = 'database replication'
const COST =
  'a failover to one that lacks the last commits forgets payments that were made: lanes then close, are read from the chains and wait, and what has no quote or request any more needs an operator'
const SYNCHRONOUS = ['sync', 'quorum']
/** With these, a commit waits for the disk of a synchronous standby. */
const WAITING = ['on', 'remote_apply']

/** What replication of the server means for money (faults.md F121). */
export const checkReplication = async (pool: Pool): Promise<readonly Diagnosis[]> => {
  const { rows } = await pool.query<ReplicationFacts>(
    `select pg_is_in_recovery() as recovery, current_setting('synchronous_commit') as commit,
       current_setting('synchronous_standby_names') as names,
       coalesce((select array_agg(sync_state) from pg_stat_replication), '{}') as standbys`,
  )
  return rows.map(judgeReplication)
}

/** Whether a failover can be noticed: the server must say which cluster and timeline it is. */
export const checkHistory = async (pool: Pool): Promise<readonly Diagnosis[]> => {
  const { rows } = await pool.query<{ history: string }>('select server_history() as history')
  const check = 'database failover'
  const hidden = (rows[0]?.history ?? '-').split('/').includes('-')
  if (!hidden) return [{ check, subject: 'database', state: 'ok', message: 'would be noticed' }]
  const message =
    'could not be noticed: the server does not say which cluster and timeline it is, so lanes would go on from memory'
  const remedy =
    'Grant execute on pg_control_system(), pg_current_wal_lsn() and pg_walfile_name(pg_lsn) to its user, or keep the hosts stopped for five minutes after a failover.'
  return [{ check, subject: 'database', state: 'warning', message, remedy }]
}

/** The finding for one server. */
export const judgeReplication = ({ recovery, commit, names, standbys }: ReplicationFacts): Diagnosis => {
  if (recovery) return finding('fault', 'is a standby: nothing can be written', 'Name the primary in DATABASE_URL.')
  const synchronous = standbys.filter((state) => state !== null && SYNCHRONOUS.includes(state)).length
  if (names === '' && standbys.length === 0) return finding('ok', 'no standby is connected')
  if (names === '')
    return finding(
      'warning',
      `${count(standbys.length)} asynchronous, and ${COST}`,
      "Name synchronous standbys: synchronous_standby_names = 'ANY 1 (*)'.",
    )
  if (!WAITING.includes(commit))
    return finding(
      'warning',
      `synchronous_commit is ${commit}: commits wait for no standby's disk, and ${COST}`,
      'Set synchronous_commit to "on".',
    )
  if (standbys.includes(null))
    return finding(
      'warning',
      'how standbys are kept may not be seen by this user',
      'Grant it the role pg_monitor, or look at pg_stat_replication as another one.',
    )
  if (synchronous === 0)
    return finding(
      'fault',
      'no synchronous standby is connected: every commit waits for one',
      'Start it again, or take it out of synchronous_standby_names.',
    )
  const others = standbys.length - synchronous
  if (others === 0) return finding('ok', `${count(synchronous)} synchronous`)
  return finding(
    'warning',
    `${count(others)} asynchronous beside ${synchronous} synchronous, and ${COST}`,
    "Promote only a synchronous one, or let commits wait for all: synchronous_standby_names = 'ANY n (*)'.",
  )
}

const count = (standbys: number): string => (standbys === 1 ? '1 standby is' : `${standbys} standbys are`)

const finding = (state: Diagnosis['state'], message: string, remedy?: string): Diagnosis => ({
  check: CHECK,
  subject: 'database',
  state,
  message,
  ...(remedy === undefined ? {} : { remedy }),
})
