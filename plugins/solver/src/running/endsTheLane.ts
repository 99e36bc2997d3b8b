import { LaneMovedError } from '@causeway/core/money-path'
import { isDatabaseFailure, isRetryable, LeaseLostError } from '@causeway/core/plugin'
import { ForeignSpend } from './foreignSpend.js'

/** The commit of signed attempts went wrong: whether the lane's position has moved on, only the database knows. */
export class UnsureStoreError extends Error {
  override readonly name = 'UnsureStoreError'
  constructor(options: ErrorOptions) {
    super('It is not known whether signed attempts were stored: the lane opens again.', options)
  }
}

/**
 * Another process has the lane, the database cannot do its work, what is in memory may be wrong, or the lane must be read again:
 * nothing of it may go on. All else concerns one item, a deadlock too.
 */
export const endsTheLane = (error: unknown): boolean =>
  [LeaseLostError, LaneMovedError, UnsureStoreError, ForeignSpend].some((kind) => error instanceof kind) ||
  (isDatabaseFailure(error) && !isRetryable(error))
