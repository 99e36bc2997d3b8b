import { type Currency, formatAmount } from '@causeway/core'
import { capitalPosting, integratorPaidPosting, type LedgerPosting, postLedger } from '@causeway/core/money-path'
import { ActionRefusedError, recordAudit, withTransaction } from '@causeway/core/plugin'
import type { Pool, PoolClient } from 'pg'

/** Money the operator put into a wallet, or took out of it: a negative amount. */
export interface Topup {
  readonly wallet: string
  readonly currency: Currency
  readonly amount: bigint
  /** The integrator that was paid with what was taken out, of what is owed to it; null: the operator's own money. */
  readonly integratorId: string | null
  /** The transaction that moved it. */
  readonly txId: string
  readonly reason: string
  /** Who says so. */
  readonly actor: string
  /** Whether the chain showed that it moved just this; else the operator vouches for it. */
  readonly checked: boolean
  /** It is gas of the key that sends for users, which `wallet` is then. */
  readonly sender?: boolean
}

const postingOf = ({ currency, amount, integratorId, txId, sender }: Topup): LedgerPosting => {
  const money = { chainId: currency.chainId, currency: currency.address }
  const event = sender === true ? `topup:sender:${txId}` : `topup:${txId}`
  return integratorId === null
    ? capitalPosting({ ...money, amount, event, ...(sender === true ? { into: 'sender' } : {}) })
    : integratorPaidPosting({ ...money, amount: -amount, integratorId, event })
}

/** Of two payments that are booked at once the second sees what the first left. */
const requireOwed = async (client: PoolClient, topup: Topup & { readonly integratorId: string }): Promise<void> => {
  const { currency, integratorId, amount } = topup
  await client.query(`select pg_advisory_xact_lock(hashtextextended('integrator:' || $1, 0))`, [integratorId])
  const { rows } = await client.query<{ owed: string }>(
    `select coalesce(-sum(amount), 0)::text as owed from ledger_entries
     where holder = $1 and chain_id = $2 and currency = $3`,
    [integratorId, currency.chainId, currency.address],
  )
  const owed = BigInt(rows[0]?.owed ?? '0')
  if (-amount <= owed) return
  throw new ActionRefusedError(
    `Integrator ${integratorId} has ${formatAmount(owed, currency.decimals)} ${currency.symbol} coming there, not that much.`,
  )
}

/**
 * An order that moved money out of another payout wallet of the chain into this one, whose lane was open before: it left the books with
 * the order, and no opening brings it back. Parameters: chain, transaction, wallet, whether it was put in.
 */
const MOVED_BACK = `$4 and exists (
    select from payout_attempts a join payouts p on p.id = a.payout_id
    where a.chain_id = $1 and a.tx_id = $2 and p.purpose = 'send' and lower(p.signer) <> lower($3)
      and p.created_at > (select min(t.posted_at) from ledger_transactions t where t.cause like 'capital:' || $1::text || ':%'
        and t.event in ('opening', 'opening:' || $3)
        and (t.event <> 'opening' or not exists (select from ledger_transactions o
          where o.cause like 'capital:' || $1::text || ':%' and o.event = 'opening:' || $3))))`

/**
 * Books a top-up as capital, or as paid to an integrator, once per transaction and currency, with its audit entry. Throws
 * ActionRefusedError when it is booked already, when the transaction is a payout of ours, which the books know (but for `MOVED_BACK`),
 * or when the integrator is owed less.
 */
export const bookTopup = async (pool: Pool, topup: Topup, now: number): Promise<void> => {
  const { wallet, currency, amount, txId, reason, actor, integratorId, checked } = topup
  const posting = postingOf(topup)
  await withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ ours: boolean; deposit: boolean; booked: boolean }>(
      `select exists (select 1 from payout_attempts where chain_id = $1 and tx_id = $2) and not (${MOVED_BACK}) as ours,
         exists (select 1 from deposits where chain_id = $1 and tx_id = $2) as deposit,
         exists (select 1 from ledger_transactions where cause = $5 and event = $6) as booked`,
      [currency.chainId, txId, wallet, amount > 0n, posting.cause, posting.event],
    )
    if (rows[0]?.ours === true)
      throw new ActionRefusedError(`${txId} is a payout of this deployment; it is booked by itself.`)
    if (rows[0]?.deposit === true) throw new ActionRefusedError(`${txId} is a deposit; it is booked by itself.`)
    if (rows[0]?.booked === true) throw new ActionRefusedError(`${txId} is booked already.`)
    if (integratorId !== null) await requireOwed(client, { ...topup, integratorId })
    await postLedger(client, [posting], now)
    await recordAudit(client, {
      at: now,
      actor,
      action: 'inventory topup',
      subject: `wallet ${currency.chainId} ${wallet}`,
      details: {
        reason,
        currency: currency.address,
        amount: amount.toString(),
        txId,
        checked,
        ...(integratorId === null ? {} : { integratorId }),
      },
    })
  })
}
