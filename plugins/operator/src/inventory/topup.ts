import {
  ActionRefusedError,
  auditActor,
  type Currency,
  capitalPosting,
  postLedger,
  recordAudit,
  withTransaction,
} from '@causeway/core'
import type { Pool } from 'pg'

/** Money the operator put into a wallet, or took out of it: a negative amount. */
export interface Topup {
  readonly wallet: string
  readonly currency: Currency
  readonly amount: bigint
  /** The transaction that moved it. */
  readonly txId: string
  readonly reason: string
}

/**
 * Books a top-up as capital, once per transaction and currency, with its audit entry. Throws ActionRefusedError when it is
 * booked already, or when the transaction is a payout of ours, which the books know.
 */
export const bookTopup = async (pool: Pool, topup: Topup, now: number): Promise<void> => {
  const { wallet, currency, amount, txId, reason } = topup
  const event = `topup:${txId}`
  const posting = capitalPosting({ chainId: currency.chainId, currency: currency.address, amount, event })
  await withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ ours: boolean; deposit: boolean; booked: boolean }>(
      `select exists (select 1 from payout_attempts where chain_id = $1 and tx_id = $2) as ours,
         exists (select 1 from deposits where chain_id = $1 and tx_id = $2) as deposit,
         exists (select 1 from ledger_transactions where cause = $3 and event = $4) as booked`,
      [currency.chainId, txId, posting.cause, event],
    )
    if (rows[0]?.ours === true)
      throw new ActionRefusedError(`${txId} is a payout of this deployment; it is booked by itself.`)
    if (rows[0]?.deposit === true) throw new ActionRefusedError(`${txId} is a deposit; it is booked by itself.`)
    if (rows[0]?.booked === true) throw new ActionRefusedError(`${txId} is booked already.`)
    await postLedger(client, [posting], now)
    await recordAudit(client, {
      at: now,
      actor: auditActor(),
      action: 'inventory topup',
      subject: `wallet ${currency.chainId} ${wallet}`,
      details: { reason, currency: currency.address, amount: amount.toString(), txId },
    })
  })
}
