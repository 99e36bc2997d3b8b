import { accountIn } from '../../engine/state/accounts.js'
import type { XrpLedger } from '../../engine/xrpLedger.js'

/** What an account has in the queue (`account_info` with `queue`). */
export const accountQueue = (ledger: XrpLedger, account: string): Readonly<Record<string, unknown>> => {
  const own = ledger.open.queued.filter(({ tx }) => tx.Account === account)
  if (own.length === 0) return { txn_count: 0 }
  const numbers = own.flatMap(({ tx }) => (tx.TicketSequence === undefined ? [tx.Sequence] : []))
  return {
    auth_change_queued: false,
    ...(numbers.length === 0 ? {} : { lowest_sequence: Math.min(...numbers), highest_sequence: Math.max(...numbers) }),
    transactions: own.map(({ tx }) => ({
      auth_change: false,
      fee: tx.Fee,
      fee_level: `${(BigInt(tx.Fee) * 256n) / ledger.rules.baseFee}`,
      ...(tx.LastLedgerSequence === undefined ? {} : { LastLedgerSequence: tx.LastLedgerSequence }),
      ...(tx.TicketSequence === undefined ? { seq: tx.Sequence } : { ticket: tx.TicketSequence }),
    })),
    txn_count: own.length,
  }
}

/** The next number of an account: in the open ledger, and after what it has in the queue too. */
export const nextSequences = (ledger: XrpLedger, account: string) => {
  const available = accountIn(ledger.open.state, account)?.Sequence ?? 0
  const queued = ledger.open.queued.filter(({ tx }) => tx.Account === account && tx.TicketSequence === undefined)
  const next = Math.max(available, ...queued.map(({ tx }) => tx.Sequence + 1))
  return { account_sequence_available: next, account_sequence_next: available }
}
