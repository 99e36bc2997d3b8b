import { type ErrorCode, errorCatalog } from '@causeway/core'
import { describe, expect, it } from 'vitest'
import { depositAddressOptions } from '../options.js'
import { requoteDelay, requoteVerdict } from './requoteRefusals.js'

/** The default of `requoteAttempts`. */
const PATIENCE = depositAddressOptions.properties.requoteAttempts.default

/** Each code that a quote may be refused with: at the first try, and in the end. */
const TABLE: readonly (readonly [ErrorCode, string, string])[] = [
  ['AMOUNT_TOO_LOW', 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL', 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'],
  ['UNSUPPORTED_CURRENCY', 'INCORRECT_DEPOSIT_CURRENCY', 'INCORRECT_DEPOSIT_CURRENCY'],
  ['INVALID_INPUT_CURRENCY', 'INCORRECT_DEPOSIT_CURRENCY', 'INCORRECT_DEPOSIT_CURRENCY'],
  ['SANCTIONED_CURRENCY', 'INCORRECT_DEPOSIT_CURRENCY', 'INCORRECT_DEPOSIT_CURRENCY'],
  ['UNSUPPORTED_CHAIN', 'DEPOSIT_CHAIN_MISMATCH', 'DEPOSIT_CHAIN_MISMATCH'],
  ['UNSUPPORTED_EXECUTION_TYPE', 'DEPOSIT_CHAIN_MISMATCH', 'DEPOSIT_CHAIN_MISMATCH'],
  ['UNSUPPORTED_ROUTE', 'NO_QUOTES', 'NO_QUOTES'],
  ['INVALID_SUBSIDIZATION', 'SPONSOR_BALANCE_TOO_LOW', 'SPONSOR_BALANCE_TOO_LOW'],
  ['DESTINATION_TX_FAILED', 'again', 'DESTINATION_TOKEN_TRANSFER_REJECTED'],
  ['INSUFFICIENT_LIQUIDITY', 'again', 'SOLVER_BALANCE_TOO_LOW'],
  ['INSUFFICIENT_FUNDS', 'again', 'SOLVER_BALANCE_TOO_LOW'],
  ['ROUTE_TEMPORARILY_RESTRICTED', 'again', 'SOLVER_CAPACITY_EXCEEDED'],
  ['NO_QUOTES', 'again', 'NO_QUOTES'],
  ['NO_SWAP_ROUTES_FOUND', 'again', 'NO_QUOTES'],
  ['NO_INTERNAL_SWAP_ROUTES_FOUND', 'again', 'NO_QUOTES'],
  ['SWAP_QUOTE_FAILED', 'again', 'NO_QUOTES'],
  ['SWAP_IMPACT_TOO_HIGH', 'again', 'SLIPPAGE'],
  ['SOLANA_TX_TOO_LARGE', 'again', 'NO_QUOTES'],
  ['INVALID_EXTRA_TXS', 'again', 'UNKNOWN'],
  ['SANCTIONED_WALLET_ADDRESS', 'BLOCKED_WALLET', 'BLOCKED_WALLET'],
  ['BLOCKED_WALLET_ADDRESS', 'BLOCKED_WALLET', 'BLOCKED_WALLET'],
  ['INVALID_REQUEST', 'UNKNOWN', 'UNKNOWN'],
  ['CHAIN_DISABLED', 'again', 'again'],
  ['SERVICE_UNAVAILABLE', 'again', 'again'],
  ['PRICE_FETCH_FAILED', 'again', 'again'],
  ['REQUEST_TIMED_OUT', 'again', 'again'],
  ['RPC_HTTP_ERROR', 'again', 'again'],
  ['UNKNOWN_ERROR', 'again', 'again'],
  ['ERC20_ROUTER_ADDRESS_NOT_FOUND', 'again', 'again'],
]

describe('a payment for which no order could be made (wire.md C.2)', () => {
  it.each(TABLE)('%s: %s at first, %s in the end', (code, first, last) => {
    expect(requoteVerdict(code, 0, PATIENCE)).toBe(first)
    expect(requoteVerdict(code, PATIENCE - 1, PATIENCE)).toBe(first)
    expect(requoteVerdict(code, PATIENCE, PATIENCE)).toBe(last)
  })

  it('of any other code is refunded at once: whatever changes nothing by waiting', () => {
    const listed = new Set<string>(TABLE.map(([code]) => code))
    // CAST: the keys of the catalogue.
    const others = (Object.keys(errorCatalog) as ErrorCode[]).filter((code) => !listed.has(code))
    expect(others.map((code) => [code, requoteVerdict(code, 0, PATIENCE)])).toEqual(
      others.map((code) => [code, 'UNKNOWN']),
    )
  })

  it('is tried again ever more rarely, and at least every five minutes; the patient ones for about half an hour', () => {
    const delays = Array.from({ length: PATIENCE }, (_, attempts) => requoteDelay(attempts))
    expect(delays.slice(0, 4)).toEqual([5_000, 10_000, 20_000, 40_000])
    expect(requoteDelay(1_000_000)).toBe(300_000)
    const minutes = delays.reduce((sum, delay) => sum + delay, 0) / 60_000
    expect(minutes).toBeGreaterThan(25)
    expect(minutes).toBeLessThan(40)
  })
})
