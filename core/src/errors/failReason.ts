/** Reasons a request was not filled (wire.md C.2) that this build can set; null or `N/A` when there is none. */
export const FAIL_REASONS = [
  'UNKNOWN',
  'DOUBLE_SPEND',
  'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
  'DEPOSIT_CHAIN_MISMATCH',
  'INCORRECT_DEPOSIT_CURRENCY',
  'DEPOSIT_REORGED',
  'TTL_EXPIRED',
  'ORDER_EXPIRED',
  'SOLVER_CAPACITY_EXCEEDED',
  'SOLVER_BALANCE_TOO_LOW',
  'NEGATIVE_NEW_AMOUNT_AFTER_FEES',
  'SLIPPAGE',
  'TOO_LITTLE_RECEIVED',
  'TRANSACTION_SUBMISSION_FAILED',
  'TRANSACTION_NOT_INCLUDED',
  'TRANSACTION_REVERTED',
  'EXECUTION_REVERTED',
  'DESTINATION_TOKEN_TRANSFER_REJECTED',
  'MANUAL_ADMIN_REFUND',
] as const

export type FailReason = (typeof FAIL_REASONS)[number]

/** Why a refund could not be made (wire.md C.3). */
export const REFUND_FAIL_REASONS = [
  'MANUAL_REFUND_REQUIRED',
  'AMOUNT_TOO_LOW_TO_REFUND',
  'NEGATIVE_NEW_AMOUNT_AFTER_FEES',
] as const

export type RefundFailReason = (typeof REFUND_FAIL_REASONS)[number]
