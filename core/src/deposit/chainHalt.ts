import type { Pool, PoolClient } from 'pg'
import type { DepositEvidence, WatchPage } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import { wakeLane } from '../database/notifier.js'
import { larger } from '../money/compare.js'
import { holdPayoutsOf, releasePayoutsOf } from '../payout/ground/haltedPayouts.js'
import type { StoredDeposit } from './depositStore.js'

/** A chain of which settled blocks were replaced: nothing is decided or signed because of its deposits. */
export interface ChainHalt {
  readonly chainId: number
  /** Height up to which the chain had been read. */
  readonly height: bigint
  /** Blocks below and at that height that were replaced. */
  readonly replaced: bigint
  /** `confirmations.settle` at the time; 0 where nothing is to leave the chain at all. */
  readonly settle: number
  /** Unix milliseconds. */
  readonly haltedAt: number
  /** Requests and payouts that wait for its release. */
  readonly requests: number
  readonly payouts: number
}

/** How deep a rewind went: blocks replaced, of those read up to a height. */
export interface Reorganization {
  readonly height: bigint
  readonly replaced: bigint
}

/** What waits for a release is looked at by an operator; a next action needs a time all the same (invariant 4). */
const HALTED_MS = 7 * 86_400_000

/**
 * How many blocks that were read a rewind surely replaced: what the watcher says, who remembers few of them, or as deep as the
 * deepest stored deposit that moved. A chain that says itself what is final is not judged by its deposits; where nothing ever leaves a
 * rewind is at least one block.
 */
export const replacedBlocks = (
  chain: Chain,
  page: WatchPage,
  readTo: bigint,
  moved: { readonly stored: readonly StoredDeposit[]; readonly evidence: readonly DepositEvidence[] },
): bigint => {
  const told = page.replaced ?? 0n
  if (chain.adapter.capabilities.absoluteFinality === true) return larger(told, 1n)
  if (chain.adapter.finalHeight !== undefined) return told
  const now = new Map(moved.evidence.map((item) => [`${item.tx.id}:${item.position}`, item]))
  const depths = moved.stored.flatMap(({ txId, position, blockHash, blockHeight }) => {
    const found = now.get(`${txId}:${position}`)
    const stays = found === undefined || (found.finding === 'present' && found.deposit?.block?.hash === blockHash)
    return stays || blockHeight === null ? [] : [readTo - blockHeight + 1n]
  })
  return depths.reduce(larger, told)
}

/**
 * Halts a chain, in the watcher's transaction, when more of its blocks were replaced than `confirmations.settle` calls final
 * (faults.md F125): what else was called final may be gone too. It stays so, over restarts and for all hosts, until an operator
 * releases it. True when it is halted by this.
 */
export const haltIfDeep = async (
  client: PoolClient,
  { config, adapter }: Chain,
  { height, replaced }: Reorganization,
  now: number,
): Promise<boolean> => {
  const { id, confirmations } = config
  const settle = adapter.capabilities.absoluteFinality === true ? 0 : confirmations.settle
  if (replaced <= BigInt(settle)) return false
  await client.query(
    `insert into chain_halts (chain_id, height, replaced, settle, halted_at) values ($1, $2, $3, $4, to_timestamp($5 / 1000.0))
     on conflict (chain_id) do update set height = excluded.height, replaced = excluded.replaced, settle = excluded.settle
       where chain_halts.replaced < excluded.replaced`,
    [id, height.toString(), replaced.toString(), settle, now],
  )
  await holdPayoutsOf(client, id, now + HALTED_MS)
  return true
}

/** Chains that are halted, with what waits. */
export const findChainHalts = async (db: Pool | PoolClient): Promise<ChainHalt[]> => {
  const { rows } = await db.query<{
    chain_id: string
    height: string
    replaced: string
    settle: number
    halted_at: Date
    requests: number
    payouts: number
  }>(
    `select chain_id::text as chain_id, height::text as height, replaced::text as replaced, settle, halted_at,
       (select count(*)::int from requests r where r.origin_chain_id = h.chain_id and r.next_action = 'await-release') as requests,
       (select count(*)::int from payouts p join deposits d on d.id = p.deposit_id where p.state = 'ready' and d.chain_id = h.chain_id) as payouts
     from chain_halts h order by chain_id`,
  )
  return rows.map((row) => ({
    chainId: Number(row.chain_id),
    height: BigInt(row.height),
    replaced: BigInt(row.replaced),
    settle: row.settle,
    haltedAt: row.halted_at.getTime(),
    requests: row.requests,
    payouts: row.payouts,
  }))
}

/** Ends a halt in the caller's transaction, and lets what waited for it go on at once; false when it was not halted so deep. */
export const releaseChain = async (
  client: PoolClient,
  { chainId, replaced }: Pick<ChainHalt, 'chainId' | 'replaced'>,
  now: number,
): Promise<boolean> => {
  // What an operator has not seen stays: a deeper reorganization that came since.
  const { rowCount } = await client.query('delete from chain_halts where chain_id = $1 and replaced = $2', [
    chainId,
    replaced.toString(),
  ])
  if (rowCount === 0) return false
  const payoutChains = await releasePayoutsOf(client, chainId, now)
  const requests = await client.query<{ chain: string }>(
    `update requests set next_action = 'decide', next_action_at = to_timestamp($2 / 1000.0)
     where origin_chain_id = $1 and next_action = 'await-release' returning destination_chain_id::text as chain`,
    [chainId, now],
  )
  const lanes = new Set([...payoutChains, ...requests.rows.map(({ chain }) => Number(chain))])
  for (const lane of lanes) await wakeLane(client, lane)
  return true
}
