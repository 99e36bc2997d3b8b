import type { proto } from '@hiero-ledger/proto'
import { need } from '../refusal.js'
import { bigintOf, nanosOf } from '../values.js'

const SECOND = 1_000_000_000n
const LEAST_DURATION = 15n
const MOST_DURATION = 180n
/** Nodes refuse a transaction this long before it expires. */
const SAFETY_MARGIN = 10n
const MOST_MEMO_BYTES = 100
export const MOST_TRANSACTION_BYTES = 6144

/** @throws Refusal outside the time in which a transaction is valid; at consensus there is no safety margin */
export const checkWindow = (body: proto.ITransactionBody, now: bigint, at: 'node' | 'consensus'): void => {
  const duration = bigintOf(body.transactionValidDuration?.seconds)
  need(duration >= LEAST_DURATION && duration <= MOST_DURATION, 'INVALID_TRANSACTION_DURATION')
  const start = nanosOf(body.transactionID?.transactionValidStart)
  const margin = at === 'node' ? SAFETY_MARGIN : 0n
  need(now <= start + (duration - margin) * SECOND, 'TRANSACTION_EXPIRED')
  need(start < now, 'INVALID_TRANSACTION_START')
}

/** @throws Refusal for a memo that is too long or has a zero byte */
export const checkMemo = (memo: string): void => {
  need(Buffer.byteLength(memo) <= MOST_MEMO_BYTES, 'MEMO_TOO_LONG')
  need(!memo.includes('\0'), 'INVALID_ZERO_BYTE_IN_STRING')
}
