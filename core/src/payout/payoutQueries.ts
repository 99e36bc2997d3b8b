import type { Pool, PoolClient } from 'pg'
import { parseDestination } from '../chain/destination.js'
import type { PayoutPurpose } from '../chain/laneAdapter.js'
import { locatorOf } from '../chain/txLocator.js'
import type { Hex } from '../money/hex.js'
import { hasGround } from './ground/payoutGround.js'
import { paidOtherwise } from './lane/paidOrders.js'
import {
  type PayoutAction,
  type PayoutAddress,
  type PayoutDeposit,
  parsePrepared,
  type StoredAttempt,
  type StoredPayout,
} from './payoutRecord.js'
import type { PayoutState } from './payoutState.js'

interface AttemptJson {
  generation: number
  version: number
  kind: 'pay' | 'cancel'
  tx_id: string
  locator: string | null
  raw: Hex
  prepared: string
  fee_cap: string
  state: StoredAttempt['state']
  broadcast_ms: number | null
  block_height: string | null
  block_hash: string | null
  fee: string | null
  fee_from: 'capital' | null
  currency_fee: string | null
  reorgs: number
  carried: boolean
}

interface PayoutRow {
  id: string
  purpose: PayoutPurpose
  request_id: Hex | null
  order_id: Hex
  chain_id: string
  signer: string
  recipient: string
  currency: string
  amount: string
  fees: string
  data: string | null
  state: PayoutState
  generation: number
  inclusions: number
  included_height: string | null
  attempts: number
  trouble_since: Date | null
  created_at: Date
  first_broadcast_at: Date | null
  next_action: PayoutAction | null
  deposit: {
    id: string
    chain_id: string
    currency: string
    amount: string
    seen_ms: number
    on_chain: boolean
  } | null
  address: { id: string; address: string; order_id: Hex; depositor: string; derivation: string } | null
  live: AttemptJson[] | null
}

const SELECT = `select p.id::text as id, p.purpose, '0x' || encode(p.request_id, 'hex') as request_id,
    '0x' || encode(p.order_id, 'hex') as order_id, p.chain_id::text as chain_id, p.signer, p.recipient, p.currency,
    p.amount::text as amount, p.fees::text as fees, p.data, p.state, p.generation, p.inclusions,
    p.included_height::text as included_height, p.attempts, p.trouble_since, p.created_at, p.first_broadcast_at, p.next_action,
    case when d.id is not null then json_build_object('id', d.id::text, 'chain_id', d.chain_id::text, 'currency', d.currency,
      'amount', d.amount::text, 'seen_ms', (extract(epoch from d.created_at) * 1000)::float8, 'on_chain', d.state = 'included') end as deposit,
    case when s.id is not null then json_build_object('id', s.id::text, 'address', s.address, 'order_id', '0x' || encode(s.order_id, 'hex'),
      'depositor', s.depositor, 'derivation', s.derivation) end as address,
    (select json_agg(json_build_object('generation', a.generation, 'version', a.version, 'kind', a.kind, 'tx_id', a.tx_id, 'locator', a.locator,
        'raw', coalesce(a.raw, b.raw), 'prepared', coalesce(a.prepared, b.prepared), 'fee_cap', a.fee_cap::text, 'state', a.state,
        'broadcast_ms', (extract(epoch from a.broadcast_at) * 1000)::bigint, 'block_height', a.block_height::text, 'block_hash', a.block_hash, 'fee', a.fee::text,
        'fee_from', a.fee_from, 'currency_fee', a.currency_fee::text, 'reorgs', a.reorgs, 'carried', a.carried)
        order by a.version)
      from payout_attempts a join payout_generations g using (payout_id, generation)
        left join payout_attempts b on a.carried and not b.carried and b.chain_id = a.chain_id and b.tx_id = a.tx_id
      where a.payout_id = p.id and g.state = 'live') as live
  from payouts p left join deposits d on d.id = p.deposit_id left join deposit_addresses s on s.id = p.address_id`

const toPayout = (row: PayoutRow): StoredPayout => ({
  id: row.id,
  purpose: row.purpose,
  requestId: row.request_id,
  orderId: row.order_id,
  chainId: Number(row.chain_id),
  signer: row.signer,
  recipient: parseDestination(row.recipient),
  currency: row.currency,
  amount: BigInt(row.amount),
  fees: BigInt(row.fees),
  data: row.data === null ? {} : JSON.parse(row.data),
  state: row.state,
  generation: row.generation,
  inclusions: row.inclusions,
  includedHeight: row.included_height === null ? null : BigInt(row.included_height),
  attempts: row.attempts,
  troubleSince: row.trouble_since?.getTime() ?? null,
  createdAt: row.created_at.getTime(),
  firstBroadcastAt: row.first_broadcast_at?.getTime() ?? null,
  action: row.next_action,
  deposit: row.deposit === null ? null : toDeposit(row.deposit),
  address: row.address === null ? null : toAddress(row.address),
  live: (row.live ?? []).map(toAttempt),
})

const toDeposit = (row: NonNullable<PayoutRow['deposit']>): PayoutDeposit => ({
  id: row.id,
  chainId: Number(row.chain_id),
  currency: row.currency,
  amount: BigInt(row.amount),
  seenAt: Math.trunc(row.seen_ms),
  onChain: row.on_chain,
})

const toAddress = (row: NonNullable<PayoutRow['address']>): PayoutAddress => ({
  id: row.id,
  destination: parseDestination(row.address),
  orderId: row.order_id,
  depositor: row.depositor,
  derivation: JSON.parse(row.derivation),
})

const toAttempt = (row: AttemptJson): StoredAttempt => ({
  ...parsePrepared(row.prepared),
  generation: row.generation,
  version: row.version,
  kind: row.kind,
  txId: row.tx_id,
  ...locatorOf(row.locator),
  raw: row.raw,
  feeCap: BigInt(row.fee_cap),
  state: row.state,
  broadcastAt: row.broadcast_ms,
  blockHeight: row.block_height === null ? null : BigInt(row.block_height),
  blockHash: row.block_hash,
  fee: row.fee === null ? null : BigInt(row.fee),
  feeFrom: row.fee_from,
  currencyFee: row.currency_fee === null ? null : BigInt(row.currency_fee),
  reorgs: row.reorgs,
  carried: row.carried,
})

/**
 * Payouts of a lane that wait for a signature and are due; none whose deposit is not on the chain now, or whose deposit's chain is
 * halted (faults.md F125); those that the operator ordered rest on no deposit, and a fast fill on its collateral. Those whose transfer touches one of `unsettled`, the chains on which payments that the database lost are
 * not all known yet, wait: what was lost may have paid the same deposit (faults.md F121). A claim waits for every one of them: what was lost may
 * have paid the same balance.
 */
export const findReadyPayouts = async (
  db: Pool | PoolClient,
  lane: { readonly chainId: number; readonly signer: string },
  now: number,
  limit: number,
  { unsettled = [], except = [] }: { readonly unsettled?: readonly number[]; readonly except?: readonly string[] } = {},
): Promise<StoredPayout[]> => {
  const { rows } = await db.query<PayoutRow>({
    name: 'payouts_ready',
    text: `${SELECT} where p.chain_id = $1 and p.signer = $2 and p.state = 'ready' and p.next_action_at <= to_timestamp($3 / 1000.0)
        and p.id <> all($6::bigint[]) and not (${paidOtherwise('p')}) and ${hasGround('p', 'd')}
        and not (cardinality($5::bigint[]) > 0 and (p.purpose = 'claim' or coalesce(d.chain_id = any($5::bigint[]), false) or exists (
          select from requests r where r.id = p.request_id and (r.destination_chain_id = any($5::bigint[])
            or p.deposit_id is null and r.origin_chain_id = any($5::bigint[])))))
      order by p.next_action_at, p.id limit $4`,
    values: [lane.chainId, lane.signer, now, limit, unsettled, except],
  })
  return rows.map(toPayout)
}

/** All payouts whose live generation is in one of these transactions. */
export const findPayoutsOf = async (
  db: Pool | PoolClient,
  chainId: number,
  txIds: readonly string[],
): Promise<StoredPayout[]> => {
  const { rows } = await db.query<PayoutRow>({
    name: 'payouts_of_tx',
    text: `${SELECT} where p.id in (select a.payout_id from payout_attempts a
        join payout_generations g using (payout_id, generation) where a.chain_id = $1 and a.tx_id = any($2) and g.state = 'live')
      order by p.id`,
    values: [chainId, txIds],
  })
  return rows.map(toPayout)
}

/** Payouts of a lane on their way: signed, or included and not yet final. With `now`, those in trouble only once they are due. */
export const findOpenPayouts = async (
  db: Pool | PoolClient,
  lane: { readonly chainId: number; readonly signer: string },
  states: readonly ('signed' | 'included')[],
  limit: number,
  now: number | null = null,
): Promise<StoredPayout[]> => {
  const { rows } = await db.query<PayoutRow>({
    name: 'payouts_open',
    text: `${SELECT} where p.chain_id = $1 and p.signer = $2 and p.state = any($3)
        and (p.trouble is null or $5::bigint is null or p.next_action_at <= to_timestamp($5 / 1000.0))
      order by p.next_action_at, p.id limit $4`,
    values: [lane.chainId, lane.signer, states, limit, now],
  })
  return rows.map(toPayout)
}
