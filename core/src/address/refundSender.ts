import type { Pool, PoolClient } from 'pg'
import type { Destination } from '../chain/chainReferences.js'
import { parseDestination } from '../chain/destination.js'
import type { RefundFailReason } from '../errors/failReason.js'
import { larger } from '../money/compare.js'
import type { QuoteTerms } from '../quote/quoteTerms.js'
import type { DepositAddressRules } from './addressRules.js'

/** Where a refund goes, or why none follows without an operator. */
export interface RefundTarget {
  readonly refundTo: Destination | null
  readonly noRefund?: RefundFailReason
  /** Part of the deposit that is not known to be sent by `refundTo`, smallest unit; absent: the quote named `refundTo`. */
  readonly others?: bigint
  /** The watcher may still record who sent a part of `others`: where that part matters, the refund waits. */
  readonly unread?: boolean
}

export interface RefundTargetDeps {
  readonly pool: Pool | PoolClient
  readonly addressRules: DepositAddressRules
  readonly clock: { now(): number }
}

/**
 * How long the watcher is waited for before what it has recorded decides, milliseconds after the deposit was stored. It tells what came before the
 * deposits that sweeps made of it: only a host of a version with two watchers stores those first (`oneStreamSql`).
 */
const UNREAD_MS = 900_000

interface SentRow {
  readonly amount: string
  readonly sender: string | null
  readonly sent: string | null
  readonly other: string
  readonly is_read: boolean
  readonly age_ms: string
}

/**
 * Arrivals in blocks before that of the sweep: which of one block came first is not recorded. Native money of a contract makes no
 * arrival, so what is missing in the sum is of an unknown sender, as an arrival without a sender is.
 */
const SENT = {
  name: 'deposit_senders',
  text: `with o as (select * from deposits where id = $1), s as (
      select v.sender, sum(v.amount) as amount from o join deposit_arrivals v on v.taken_by = o.id and v.chain_id = o.chain_id
        and v.currency = o.currency and v.state = 'included' and v.block_height < o.block_height
      group by v.sender
    ), top as (select * from s where sender is not null order by amount desc, sender limit 1)
    select o.amount::text as amount, top.sender, top.amount::text as sent,
      coalesce((select sum(s.amount) from s where s.sender is distinct from top.sender), 0)::text as other,
      coalesce(greatest(c.arrivals_height, a.height) >= o.block_height, false) as is_read, ($2 - extract(epoch from o.created_at) * 1000)::bigint::text as age_ms
    from o left join top on true left join chain_cursors c on c.chain_id = o.chain_id left join address_cursors a on a.chain_id = o.chain_id`,
}

/**
 * Where the refund of a deposit goes (wire.md E.5, faults.md F143). To whoever sent it: the sender of most of it, with what of it is
 * of other senders or unknown ones; null where no sender is known, or a custodian sent it.
 */
export const refundTarget = async (
  { pool, addressRules, clock }: RefundTargetDeps,
  { refundTo, address }: Pick<QuoteTerms, 'refundTo' | 'address'>,
  deposit: { readonly id: string; readonly chainId: number },
): Promise<RefundTarget> => {
  if (address?.refundToSender !== true)
    return { refundTo, ...(address?.noRefund === undefined ? {} : { noRefund: address.noRefund }) }
  const { rows } = await pool.query<SentRow>({ ...SENT, values: [deposit.id, clock.now()] })
  const [row] = rows
  if (row === undefined) throw new Error(`Deposit ${deposit.id} is not stored.`)
  const missing = BigInt(row.amount) - BigInt(row.sent ?? 0)
  const others = larger(missing, BigInt(row.other))
  const unread = others > 0n && !row.is_read && Math.abs(Number(row.age_ms)) < UNREAD_MS
  if (row.sender === null) return { refundTo: null, others, unread }
  const sender = parseDestination(row.sender)
  if (addressRules.isCustodial(deposit.chainId, sender.address))
    return { refundTo: null, noRefund: 'REFUND_RECIPIENT_IS_VASP' }
  return { refundTo: sender, others, unread }
}
