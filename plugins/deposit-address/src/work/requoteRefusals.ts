import { type ErrorCode, errorCatalog } from '@causeway/core'
import type { FailReason } from '@causeway/core/plugin'

/** What becomes of a payment for which no order could be made: another try, or its refund for a reason (wire.md C.2, E.2 "less"). */
export type RequoteVerdict = 'again' | FailReason

/** At once: what came can never be filled, however long one waits. */
const AT_ONCE: Partial<Record<ErrorCode, FailReason>> = {
  AMOUNT_TOO_LOW: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
  UNSUPPORTED_CURRENCY: 'INCORRECT_DEPOSIT_CURRENCY',
  INVALID_INPUT_CURRENCY: 'INCORRECT_DEPOSIT_CURRENCY',
  SANCTIONED_CURRENCY: 'INCORRECT_DEPOSIT_CURRENCY',
  UNSUPPORTED_CHAIN: 'DEPOSIT_CHAIN_MISMATCH',
  UNSUPPORTED_EXECUTION_TYPE: 'DEPOSIT_CHAIN_MISMATCH',
  UNSUPPORTED_ROUTE: 'NO_QUOTES',
  INVALID_SUBSIDIZATION: 'SPONSOR_BALANCE_TOO_LOW',
  SANCTIONED_WALLET_ADDRESS: 'BLOCKED_WALLET',
  BLOCKED_WALLET_ADDRESS: 'BLOCKED_WALLET',
}

/** After some tries: markets, funds and recipients change, but the money does not wait for them for ever. */
const IN_TIME: Partial<Record<ErrorCode, FailReason>> = {
  DESTINATION_TX_FAILED: 'DESTINATION_TOKEN_TRANSFER_REJECTED',
  INSUFFICIENT_LIQUIDITY: 'SOLVER_BALANCE_TOO_LOW',
  INSUFFICIENT_FUNDS: 'SOLVER_BALANCE_TOO_LOW',
  ROUTE_TEMPORARILY_RESTRICTED: 'SOLVER_CAPACITY_EXCEEDED',
  NO_QUOTES: 'NO_QUOTES',
  NO_SWAP_ROUTES_FOUND: 'NO_QUOTES',
  NO_INTERNAL_SWAP_ROUTES_FOUND: 'NO_QUOTES',
  SWAP_QUOTE_FAILED: 'NO_QUOTES',
  SWAP_IMPACT_TOO_HIGH: 'SLIPPAGE',
  SOLANA_TX_TOO_LARGE: 'NO_QUOTES',
  INVALID_EXTRA_TXS: 'UNKNOWN',
}

/**
 * `attempts`: times it was put off before; after `patience` of them a code of the second table refuses. A failure of ours, or of a node, is
 * never the end of a payment.
 */
export const requoteVerdict = (code: ErrorCode, attempts: number, patience: number): RequoteVerdict => {
  const atOnce = AT_ONCE[code]
  if (atOnce !== undefined) return atOnce
  const inTime = IN_TIME[code]
  if (inTime !== undefined) return attempts < patience ? 'again' : inTime
  return errorCatalog[code].passing ? 'again' : 'UNKNOWN'
}

const FIRST_DELAY_MS = 5_000
const LONGEST_DELAY_MS = 300_000

/** Until the next try, milliseconds. */
export const requoteDelay = (attempts: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempts, 10), LONGEST_DELAY_MS)
