import type { DepositEvidence } from '../../chain/chainAdapter.js'
import type { DepositReference } from '../../chain/chainReferences.js'
import type { TransactionReading } from './chainReading.js'

/** What evidence is called and why it was found, in the chain's own words (wire.md 3.1 TX `reorg`). */
export interface EvidenceWords {
  /** What was read: a receipt, a transaction. */
  readonly source: string
  readonly unknown: string
  readonly pending: string
  readonly failed: string
  /** It is in a block, and makes no such deposit. */
  readonly other: string
  readonly present: string
}

export const EVIDENCE_WORDS: EvidenceWords = {
  source: 'transaction',
  unknown: 'No block holds the transaction',
  pending: 'No block holds the transaction',
  failed: 'The transaction failed',
  other: 'The transaction no longer makes this deposit',
  present: 'The transaction is in a block',
}

/** What became of a deposit whose transaction is seen like this. */
export const evidenceOf = (
  { tx, position }: DepositReference,
  { status, block, deposits }: TransactionReading,
  words: EvidenceWords = EVIDENCE_WORDS,
): DepositEvidence => {
  const shared = { tx, position, source: words.source }
  if (block === null) {
    return { ...shared, finding: 'missing', reason: status === 'unknown' ? words.unknown : words.pending }
  }
  const failed = status === 'failure'
  const receiptStatus = failed ? 'reverted' : 'success'
  const facts = { ...shared, blockNumber: block.height, blockHash: block.hash, receiptStatus }
  if (failed) return { ...facts, finding: 'failed', reason: words.failed }
  const deposit = deposits[position]
  return deposit === undefined
    ? { ...facts, finding: 'missing', reason: words.other }
    : { ...facts, finding: 'present', deposit, reason: words.present }
}
