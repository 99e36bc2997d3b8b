import type { Pool } from 'pg'
import type { Chain } from '../../chain/chainRegistry.js'
import { witnessedHeight } from '../../chain/settledHeight.js'
import type { Clock } from '../../clock/clock.js'
import { withRetries } from '../../database/pool.js'
import { findForgottenSince } from './forgottenLanes.js'
import { findLane, importTransactions, isAccepted, type LaneKey, openLane } from './laneJournal.js'

export interface WitnessDeps {
  readonly pool: Pool
  readonly clock: Clock
}

/**
 * Reads what the keys of a chain sent since their journals, as a lane does when it opens, whoever holds it and whether anybody
 * does: an order may have been paid there in a time that this database forgot (F120). What no attempt here tells of is kept.
 * The journals stay where they are. Returns null, or why it cannot be known, as a part of a sentence. Throws ServiceError when
 * the chain cannot be asked. `except` names a key that was just read.
 */
export const witnessLanes = async (
  deps: WitnessDeps,
  chain: Chain,
  except: string | null = null,
): Promise<string | null> => {
  const { rows } = await deps.pool.query<{ signer: string }>(
    "select signer from lanes where chain_id = $1 and kind = 'payout' order by signer",
    [chain.config.id],
  )
  const asked = rows.filter(({ signer }) => signer !== except)
  const gaps = await Promise.all([
    ...asked.map(({ signer }) => witnessLane(deps, chain, { chainId: chain.config.id, signer })),
    ...formersOf(chain, rows).map((signer) => findFormer(deps, chain, { chainId: chain.config.id, signer })),
  ])
  return gaps.find((gap) => gap !== null) ?? (await forgottenLane(deps, chain, rows))
}

/** The journal of the configured wallet may be what a backup lacks: until its lane was opened nobody knows what it paid. */
const forgottenLane = async (
  { pool }: WitnessDeps,
  { config, adapter }: Chain,
  known: readonly { readonly signer: string }[],
): Promise<string | null> => {
  const { solver } = config
  if (solver !== '' && known.some(({ signer }) => adapter.sameAddress(signer, solver))) return null
  return (await findForgottenSince(pool, config.id)) === null
    ? null
    : `this database was put back, or failed over, and has no journal of ${solver || 'its payout key'} yet`
}

/** Keys that the configuration names as former ones and that have no lane here. */
const formersOf = (
  { config: { solver, formerSolvers = [] }, adapter }: Chain,
  known: readonly { readonly signer: string }[],
): readonly string[] =>
  formerSolvers.flatMap((address) => {
    const read = adapter.validateAddress(address)
    const has = [solver, ...known.map(({ signer }) => signer)].some((other) => adapter.sameAddress(other, address))
    return read.ok && !has ? [read.canonical] : []
  })

/** A database that was put back may have forgotten the whole lane: what it sent since is read, and from then on it is known. */
const findFormer = async ({ pool, clock }: WitnessDeps, chain: Chain, lane: LaneKey): Promise<string | null> => {
  const { adapter } = chain
  const since = await findForgottenSince(pool, lane.chainId)
  if (since === null) return null
  if (adapter.lane.beginning === undefined)
    return `what ${lane.signer} paid in the time that this database forgot cannot be read`
  const height = witnessedHeight(adapter, (await adapter.tip()).height)
  const place = { position: adapter.lane.beginning(since), sinceHeight: since }
  const reading = await adapter.lane.read(lane.signer, place)
  const { position, reason } = await withRetries(pool, (client) => openLane(client, lane, reading, height, clock.now()))
  return position === null ? reason : null
}

/** The journal is read before the chain, so that what a host sends meanwhile is known by its attempt. */
const witnessLane = async ({ pool, clock }: WitnessDeps, chain: Chain, lane: LaneKey): Promise<string | null> => {
  const journal = await findLane(pool, lane)
  if (journal === null) return null
  if (journal.position === null) return journal.reason ?? 'its transactions could not all be read'
  const reading = await chain.adapter.lane.read(lane.signer, {
    position: journal.position,
    sinceHeight: journal.height,
  })
  if (reading.unknown.length > 0) {
    await withRetries(pool, (client) => importTransactions(client, lane, reading.unknown, clock.now()))
  }
  if (reading.complete || (await isAccepted(pool, lane, JSON.stringify(reading.position)))) return null
  return `transactions of ${lane.signer} could not all be read${reading.gap === undefined ? '' : `: ${reading.gap}`}`
}
