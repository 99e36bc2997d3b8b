import type { Placed } from '@causeway/core/testing'
import { type ClosedLedger, closeTimeOf, type LedgerTx } from '../../engine/closedLedger.js'
import type { Tx } from '../../engine/transaction.js'

type Fields = Readonly<Record<string, unknown>>

export const isoTime = ({ time }: Pick<ClosedLedger, 'time'>): string =>
  new Date(time * 1000).toISOString().replace('.000Z', 'Z')

/** A transaction's fields; the amount that a payment may deliver is `DeliverMax`. */
export const shownTx = ({ Amount, ...rest }: Tx): Fields => {
  if (rest.TransactionType === 'Payment') return { ...rest, DeliverMax: Amount }
  return Amount === undefined ? rest : { ...rest, Amount }
}

/** A validated transaction, as `tx`, `account_tx` and the streams show it. */
export const placedFields = ({ tx: { tx, hash, meta }, block }: Placed<LedgerTx, ClosedLedger>): Fields => ({
  tx_json: { ...shownTx(tx), date: closeTimeOf(block), ledger_index: block.height },
  ...{ close_time_iso: isoTime(block), hash, ledger_hash: block.hash, ledger_index: block.height },
  ...{ meta, validated: true },
})
