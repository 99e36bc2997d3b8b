import type { Diagnosis } from '@causeway/core/chain'
import { describeUnconfigured, findProviderAlerts, findUnconfigured, type Unconfigured } from '@causeway/core/host'
import { countParkedDeposits, findChainHalts } from '@causeway/core/money-path'
import type { Pool } from 'pg'
import type { HostConfig } from '../config/schema/schema.js'

interface WorkFacts {
  readonly offset_ms: string
  readonly overdue: number
  readonly troubled: number
  readonly trouble: string | null
  readonly quarantined: { chain_id: string; reason: string | null }[] | null
  readonly settling: { chain_id: string; reason: string | null }[] | null
  readonly held: string[] | null
  readonly behind: { chain_id: string; blocks: string }[] | null
  /** Restored from a backup, and no host was started on it since. */
  readonly restored: boolean
}

const OVERDUE_MS = 60_000
const BEHIND_BLOCKS = 50

const FACTS = `with late as (
      -- Business time, whatever this machine's own clock says.
      select clock_timestamp() + (offset_ms - ${OVERDUE_MS}) * interval '1 millisecond' as than from clock_offset
    ), failing as (
      select 'request 0x' || encode(id, 'hex') as of, trouble, trouble_since as since from requests, late
      where trouble is not null and trouble_since < than
      union all
      select 'payout ' || id, trouble, trouble_since from payouts, late where trouble is not null and trouble_since < than
    )
  select
    (select offset_ms::text from clock_offset) as offset_ms,
    (select count(*)::int from (
      select 1 from requests, late where next_action_at < than
      union all select 1 from payouts, late where next_action_at < than) o) as overdue,
    (select count(*)::int from failing) as troubled,
    (select of || ': ' || trouble from failing order by since limit 1) as trouble,
    (select json_agg(json_build_object('chain_id', chain_id::text, 'reason', reason)) from lanes where state = 'quarantined') as quarantined,
    (select json_agg(json_build_object('chain_id', chain_id::text, 'reason', reason)) from lanes where state = 'settling') as settling,
    (select json_agg(name) from leases where expires_at > clock_timestamp()) as held,
    (select json_agg(json_build_object('chain_id', chain_id::text, 'blocks', (tip - height)::text)) from chain_cursors
      where tip - height > ${BEHIND_BLOCKS}) as behind,
    exists (select from database_id where noted = 'restored')
      and not exists (select from leases where history <> 'restored') as restored`

/** What the running hosts left undone: nothing watched, lanes shut, work overdue, money that waits for an operator. */
export const checkWork = async (pool: Pool, config: HostConfig): Promise<readonly Diagnosis[]> => {
  const [{ rows }, alerts, halts, missing, counts] = await Promise.all([
    pool.query<WorkFacts>(FACTS),
    findProviderAlerts(pool, {}),
    findChainHalts(pool),
    // Only the adapters, which are not asked here, know how the database spells a currency.
    findUnconfigured(
      pool,
      config.chains.map(({ id }) => ({ chainId: id, currencies: null })),
    ),
    countParkedDeposits(pool),
  ])
  const facts = rows[0]
  if (facts === undefined) return []
  const nameOf = (id: string) => config.chains.find((chain) => String(chain.id) === id)?.slug ?? `chain ${id}`
  const found = [
    offset(Number(facts.offset_ms)),
    ...hosts(facts, config),
    ...(facts.quarantined ?? []).map(
      ({ chain_id, reason }): Diagnosis => ({
        check: 'lane',
        subject: nameOf(chain_id),
        state: 'fault',
        message: `is quarantined: ${reason ?? 'the chain knows of payments that the journal does not'}`,
        remedy:
          'Close the paid deposits first, before any correction of the books: "causeway parked close --all-paid". "causeway lanes inspect" names what is left, and what closes or releases it; so it does for a key that was used before.',
      }),
    ),
    ...halts.map(
      ({ chainId, replaced, settle, requests, payouts }): Diagnosis => ({
        check: 'halt',
        subject: nameOf(String(chainId)),
        state: 'fault',
        message: `is halted: ${replaced} blocks were replaced where ${settle} are called final; ${requests} requests and ${payouts} payouts wait`,
        remedy: 'Look with "causeway halts", then "causeway halts release".',
      }),
    ),
    ...(facts.settling ?? []).map(
      ({ chain_id, reason }): Diagnosis => ({
        check: 'lane',
        subject: nameOf(chain_id),
        state: 'warning',
        message: `pays nothing yet: ${reason ?? 'the database failed over'}`,
        remedy: 'Wait: it opens by itself. "causeway lanes" shows what was found meanwhile.',
      }),
    ),
    ...(facts.behind ?? []).map(
      ({ chain_id, blocks }): Diagnosis => ({
        check: 'watcher',
        subject: nameOf(chain_id),
        state: 'fault',
        message: `is ${blocks} blocks behind its chain`,
        remedy: 'Check the log range and speed of its endpoints.',
      }),
    ),
    ...alerts.map(
      ({ chainId, kind, details }): Diagnosis => ({
        check: 'providers',
        subject: nameOf(String(chainId)),
        state: 'fault',
        message: `${kind}: ${details}`,
        remedy: 'Find out which provider is wrong and take it out of "rpc".',
      }),
    ),
  ]
  if (facts.overdue > 0) {
    found.push({
      check: 'next actions',
      subject: 'database',
      state: 'fault',
      message: `${facts.overdue} are overdue by more than a minute`,
      remedy: 'Start a host with the role that does them; "causeway explain <id>" tells about one.',
    })
  }
  found.push(...failing(facts), ...missing.map(unconfigured))
  const parked = counts.reduce((sum, { deposits }) => sum + deposits, 0)
  if (parked > 0) {
    found.push({
      check: 'parked deposits',
      subject: 'database',
      state: 'warning',
      message: `${parked} ${parked === 1 ? 'waits' : 'wait'} for an operator`,
      remedy: 'Look with "causeway parked list".',
    })
  }
  return found
}

const failing = ({ troubled, trouble }: WorkFacts): Diagnosis[] =>
  troubled === 0
    ? []
    : [
        {
          check: 'troubles',
          subject: 'database',
          state: 'fault',
          message: `${troubled} requests or payouts fail each time they are tried; the oldest is ${trouble ?? ''}`,
          remedy:
            'The others go on. "causeway explain <id>" tells about one; remove the cause, and it goes on by itself.',
        },
      ]

const unconfigured = (item: Unconfigured): Diagnosis => ({
  check: 'configured chains',
  subject: 'database',
  state: 'fault',
  message: `unfinished work needs ${describeUnconfigured(item)}, which is not configured`,
  remedy: 'Add it to "chains" again until that is finished; a host without it does not start, or leaves it waiting.',
})

const offset = (milliseconds: number): Diagnosis =>
  milliseconds === 0
    ? { check: 'business clock', subject: 'database', state: 'ok', message: 'is not moved' }
    : {
        check: 'business clock',
        subject: 'database',
        state: 'fault',
        message: `is moved by ${milliseconds / 1000} s: quotes and deadlines are judged by it`,
        remedy: 'It is meant for tests: set clock_offset.offset_ms to 0.',
      }

const START_ONE = 'Start one: "causeway start --role watcher", "--role solver".'
/** Two databases with one payout key pay twice. */
const START_IN_ITS_PLACE =
  'This database was restored from a backup. In a drill that is as it should be: start no host, the payout keys are at work elsewhere. When the other database is gone for good, start your hosts.'

const hosts = (facts: WorkFacts, { chains }: HostConfig): Diagnosis[] => {
  const held = facts.held ?? []
  return chains.flatMap(({ id, slug }): Diagnosis[] => {
    const watched = held.includes(`watch:${id}`)
    const paying = held.some((name) => name.startsWith(`lane:${id}:`))
    const missing = [watched ? [] : ['watches it'], paying ? [] : ['pays on it']].flat()
    return missing.length === 0
      ? [{ check: 'hosts', subject: slug, state: 'ok', message: 'is watched and paid on' }]
      : [
          {
            check: 'hosts',
            subject: slug,
            state: 'warning',
            message: `no running host ${missing.join(' or ')}`,
            remedy: facts.restored ? START_IN_ITS_PLACE : START_ONE,
          },
        ]
  })
}
