import type { Pool, PoolClient } from 'pg'
import { locatorOf } from '../../chain/txLocator.js'
import { toBytea } from '../../database/hexBytea.js'
import type { DepositInDoubt } from '../../deposit/depositTrust.js'
import type { FailReason } from '../../errors/failReason.js'
import type { FastFillState } from '../../fastFill/fastFill.js'
import type { Hex } from '../../money/hex.js'
import { parseTerms, type QuoteTerms } from '../../quote/quoteTerms.js'
import { type PaidOrder, type PaidOrderJson, paidJson, toPaidOrders } from '../lane/paidOrders.js'

/** A request whose deposit is in and whose outcome is open. */
export interface OpenDecision {
  readonly requestId: Hex
  readonly terms: QuoteTerms
  /** Known from the start: it can only be refunded. */
  readonly refundReason: FailReason | null
  readonly committed: boolean
  /** A fill for the same recipient reverted on the chain a short while ago, by the doing of its own order. */
  readonly burnt: boolean
  /** Times it was put off. */
  readonly attempts: number
  /** The deposit's chain is halted: nothing may be decided before an operator has looked. */
  readonly halted: boolean
  /** What paid its order in a time that this database forgot. */
  readonly paid: readonly PaidOrder[]
  /** How the fast fill of its order stands; absent: there is none. */
  readonly fastFill?: FastFillState
  readonly deposit: DepositInDoubt & {
    readonly id: string
    /** Unix milliseconds of its block. */
    readonly includedAt: number
    /** Unix milliseconds at which the watcher stored it. */
    readonly seenAt: number
  }
}

interface DecisionRow {
  request_id: string
  terms: string
  refund_reason: FailReason | null
  committed: boolean
  burnt: boolean
  attempts: number
  deposit_id: string
  tx_id: string
  locator: string | null
  position: number
  chain_id: string
  currency: string
  amount: string
  height: string
  included_ms: string
  seen_ms: string
  given: boolean
  shown_order_id: string | null
  halted: boolean
  paid: PaidOrderJson[] | null
  fast_fill: FastFillState | null
}

/** What a request waits for whose deposit is in and undecided. */
export const UNDECIDED = `'decide', 'await-settle', 'await-release'`

/**
 * Whether the recipient of a request had a fill revert in the last $4 milliseconds. Orders with calls say nothing of those
 * without, since anyone may have calls revert that pay somebody else; among themselves only those of one depositor count.
 */
const BURNT = `exists (
          select from payouts b left join deposits bd on bd.id = b.deposit_id
          where b.chain_id = r.destination_chain_id and b.recipient = r.recipient and b.burnt_at > to_timestamp(($2::bigint - $4::bigint) / 1000.0)
            and (b.data::jsonb ? 'calls') = (r.terms::jsonb ? 'calls')
            and (bd.depositor = d.depositor or not b.data::jsonb ? 'calls'))`

/** Of so many decisions one at least is for a deposit that consumed no order, where some wait. */
const SHARE_OF_UNFIT = 4

/** Due requests that consumed their order, or whose deposit never may, oldest first. */
const dueRequests = (turn: number, isChild: string, limit: string): string =>
  `(select r.id, ${turn} as turn, r.next_action_at, r.seq from requests r
        where r.destination_chain_id = $1 and r.next_action in (${UNDECIDED}) and r.next_action_at <= to_timestamp($2 / 1000.0)
          and r.id <> all($5::bytea[]) and r.parent_request_id is ${isChild}
          and exists (select from deposits d where d.request_id = r.id and d.state = 'included' and d.outcome is null)
          -- A child is refunded, unless an order was made for it.
          and (r.parent_request_id is null or r.refund_reason is not null or exists (select from orders o where o.order_id = r.order_id and o.request_id = r.id))
        order by r.next_action_at, r.seq limit ${limit})`

/**
 * Requests paying out on a chain that wait for a decision and are due, oldest first; one statement. Those of deposits that may not
 * consume an order, which anyone can make by the thousand, stand behind the others and have a share of their own (faults.md F132).
 */
export const findOpenDecisions = async (
  db: Pool | PoolClient,
  destinationChainId: number,
  now: number,
  {
    batch,
    burnPauseMs,
    except = [],
  }: {
    readonly batch: number
    readonly burnPauseMs: number
    /** Requests that are left out: somebody works on them. */
    readonly except?: readonly Hex[]
  },
): Promise<OpenDecision[]> => {
  const { rows } = await db.query<DecisionRow>({
    name: 'decisions_open',
    text: `with due as (
        ${dueRequests(0, 'null', '$3')} union all ${dueRequests(1, 'not null', '$6')}
      )
      select encode(r.id, 'hex') as request_id, r.terms, r.refund_reason, r.committed, r.attempts, d.id::text as deposit_id, d.tx_id, d.locator,
        d.position, d.chain_id::text as chain_id, d.currency, d.amount::text as amount, d.block_height::text as height,
        (extract(epoch from d.block_time) * 1000)::bigint::text as included_ms,
        (extract(epoch from d.created_at) * 1000)::bigint::text as seen_ms, d.given, encode(d.shown_order_id, 'hex') as shown_order_id,
        exists (select from chain_halts h where h.chain_id = d.chain_id) as halted, ${paidJson('r.order_id')} as paid,
        (select f.state from fast_fills f where f.order_id = r.order_id) as fast_fill, ${BURNT} as burnt
      from due join requests r on r.id = due.id join deposits d on d.request_id = r.id and d.state = 'included' and d.outcome is null
      order by due.turn, due.next_action_at, due.seq`,
    values: [
      destinationChainId,
      now,
      batch,
      burnPauseMs,
      except.map((id) => toBytea(id)),
      Math.ceil(batch / SHARE_OF_UNFIT),
    ],
  })
  return rows.map(toOpenDecision)
}

const toOpenDecision = (row: DecisionRow): OpenDecision => {
  const terms = parseTerms(row.terms)
  return {
    requestId: `0x${row.request_id}`,
    terms,
    refundReason: row.refund_reason,
    committed: row.committed,
    burnt: row.burnt,
    attempts: row.attempts,
    halted: row.halted,
    paid: toPaidOrders(row.paid),
    ...(row.fast_fill === null ? {} : { fastFill: row.fast_fill }),
    deposit: {
      id: row.deposit_id,
      txId: row.tx_id,
      ...locatorOf(row.locator),
      position: row.position,
      chainId: Number(row.chain_id),
      currency: row.currency,
      amount: BigInt(row.amount),
      height: BigInt(row.height),
      orderId: row.given ? (row.shown_order_id === null ? null : `0x${row.shown_order_id}`) : terms.orderId,
      includedAt: Number(row.included_ms),
      seenAt: Number(row.seen_ms),
    },
  }
}
