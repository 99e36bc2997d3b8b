import { type Diagnosis, findProviderAlerts } from '@causeway/core'
import type { Pool } from 'pg'
import type { HostConfig } from '../config/schema.js'

interface WorkFacts {
  readonly offset_ms: string
  readonly overdue: number
  readonly parked: number
  readonly quarantined: { chain_id: string; reason: string | null }[] | null
  readonly held: string[] | null
  readonly behind: { chain_id: string; blocks: string }[] | null
}

const OVERDUE_MS = 60_000
const BEHIND_BLOCKS = 50

const FACTS = `select
    (select offset_ms::text from clock_offset) as offset_ms,
    (select count(*)::int from (
      select 1 from requests where next_action_at < to_timestamp($1 / 1000.0)
      union all select 1 from payouts where next_action_at < to_timestamp($1 / 1000.0)) o) as overdue,
    (select count(*)::int from deposits where parked_reason is not null) as parked,
    (select json_agg(json_build_object('chain_id', chain_id::text, 'reason', reason)) from lanes where state = 'quarantined') as quarantined,
    (select json_agg(name) from leases where expires_at > clock_timestamp()) as held,
    (select json_agg(json_build_object('chain_id', chain_id::text, 'blocks', (tip - height)::text)) from chain_cursors
      where tip - height > ${BEHIND_BLOCKS}) as behind`

/** What the running hosts left undone: nothing watched, lanes shut, work overdue, money that waits for an operator. */
export const checkWork = async (pool: Pool, config: HostConfig): Promise<readonly Diagnosis[]> => {
  const now = Date.now()
  const [{ rows }, alerts] = await Promise.all([
    pool.query<WorkFacts>(FACTS, [now - OVERDUE_MS]),
    findProviderAlerts(pool, {}),
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
        remedy: 'Look with "causeway lanes inspect", then "causeway lanes release".',
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
  if (facts.parked > 0) {
    found.push({
      check: 'parked deposits',
      subject: 'database',
      state: 'warning',
      message: `${facts.parked} belong to no request`,
      remedy: 'Look with "causeway parked list".',
    })
  }
  return found
}

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
            remedy: 'Start one: "causeway start --role watcher", "--role solver".',
          },
        ]
  })
}
