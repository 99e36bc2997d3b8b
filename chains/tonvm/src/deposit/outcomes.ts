import type { Transaction } from '@ton/core'

/**
 * Whether a transaction credited its message's value for good: its code ran without an error, or the account has no code (chains.md tonvm 4).
 * The value of a message that bounced is not credited.
 */
export const isCredited = ({ description }: Transaction): boolean => {
  if (description.type !== 'generic') return false
  const { computePhase, actionPhase, aborted } = description
  if (computePhase.type === 'skipped') return computePhase.reason === 'no-state'
  const didActions = !actionPhase || (actionPhase.success && actionPhase.valid && actionPhase.resultCode === 0)
  return computePhase.success && computePhase.exitCode === 0 && !aborted && didActions
}

/** Whether the code of an account ran without an error. Jettons are credited only by code: an account without code takes none. */
export const hasRun = (transaction: Transaction): boolean =>
  transaction.description.type === 'generic' &&
  transaction.description.computePhase.type === 'vm' &&
  isCredited(transaction)
