import type { ClosedLedger, LedgerTx } from '../../engine/closedLedger.js'
import type { NamedTx, Tx } from '../../engine/transaction.js'
import { EPOCH } from '../../engine/xrpLedger.js'

type Fields = Readonly<Record<string, unknown>>

export const isoTime = (closeTime: number): string =>
  new Date((closeTime + EPOCH) * 1000).toISOString().replace('.000Z', 'Z')

/** A transaction's fields as a version of the interface shows them: what a payment may deliver is `DeliverMax` in the second one. */
export const shownTx = (tx: Tx, v2: boolean): Fields => {
  if (tx.TransactionType !== 'Payment') return { ...tx }
  const { Amount, ...rest } = tx
  return { ...rest, ...(v2 ? {} : { Amount }), DeliverMax: Amount }
}

/** A short name of a validated transaction: its ledger, its place there, the network. Null where it has none. */
const ctidOf = ({ ledger, meta }: LedgerTx, networkId: number): Fields => {
  if (networkId > 0xffff || ledger > 0x0fff_ffff) return {}
  const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0')
  return { ctid: `C${hex(ledger, 7)}${hex(meta.TransactionIndex, 4)}${hex(networkId, 4)}` }
}

/** What `tx` answers. Null for the ledger: it is in none yet. */
export const txAnswer = (
  found: LedgerTx | NamedTx,
  ledger: ClosedLedger | null,
  { v2, networkId }: { readonly v2: boolean; readonly networkId: number },
): Fields => {
  const { tx, hash } = found
  const shown = shownTx(tx, v2)
  if (ledger === null || !('meta' in found)) {
    return v2 ? { tx_json: shown, hash, validated: false } : { ...shown, hash, validated: false }
  }
  const { meta } = found
  const place = { ...ctidOf(found, networkId), date: ledger.closeTime, ledger_index: ledger.number }
  if (!v2) return { ...shown, ...place, hash, inLedger: ledger.number, meta, validated: true }
  return {
    tx_json: { ...shown, ...place },
    ...ctidOf(found, networkId),
    ...{ close_time_iso: isoTime(ledger.closeTime), hash, ledger_hash: ledger.hash, ledger_index: ledger.number },
    ...{ meta, validated: true },
  }
}

/** One of what `account_tx` answers. */
export const historyAnswer = (found: LedgerTx, ledger: ClosedLedger, v2: boolean): Fields => {
  const { tx, hash, meta } = found
  const shown = { ...shownTx(tx, v2), date: ledger.closeTime, ledger_index: ledger.number }
  if (!v2) return { meta, tx: { ...shown, hash, inLedger: ledger.number }, validated: true }
  return {
    ...{ close_time_iso: isoTime(ledger.closeTime), hash, ledger_hash: ledger.hash, ledger_index: ledger.number },
    ...{ meta, tx_json: shown, validated: true },
  }
}

/** One of what `ledger` answers with its transactions expanded. */
export const ledgerTxAnswer = (found: LedgerTx, ledger: ClosedLedger, v2: boolean): Fields => {
  const { tx, hash, meta } = found
  if (!v2) return { ...shownTx(tx, v2), hash, metaData: meta }
  return {
    ...{ close_time_iso: isoTime(ledger.closeTime), hash, ledger_hash: ledger.hash, ledger_index: ledger.number },
    ...{ meta, tx_json: shownTx(tx, v2), validated: true },
  }
}
