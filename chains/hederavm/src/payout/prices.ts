import { keptAnswers } from '@causeway/core/chain-kit'
import type { Asked } from '../rpc/mirrorNode.js'
import { askRate, type ExchangeRate } from '../rpc/network.js'

/** Prices of the fee schedule in hundred-millionths of a US cent (chains.md hederavm 7). */
const CENT = 100_000_000n
export const PRICES = {
  transfer: CENT / 100n,
  tokenTransfer: CENT / 10n,
  customFeeTransfer: CENT / 5n,
  /** A transfer that opens an account pays this besides. */
  newAccount: 5n * CENT,
  /** A transfer that associates its recipient pays this besides. */
  association: 5n * CENT,
} as const

/** The rate changes about once an hour. */
export const RATE_VALID_MS = 30_000

/**
 * Multiple of the price that a transaction offers at most: signatures and bytes beyond the usual ones, and a new exchange rate, raise
 * the charge.
 */
export const CAP_FACTOR = 3n

/** Tinybars of a price, rounded up. */
export const tinybarsOf = (price: bigint, { hbar, cents }: ExchangeRate): bigint => (price * hbar + cents - 1n) / cents

/** Most that a transaction offers for its fee; null where the limit is below its price. */
export const feeToOffer = (price: bigint, limit: bigint): bigint | null => {
  if (price > limit) return null
  const cap = price * CAP_FACTOR
  return cap < limit ? cap : limit
}

/** Tinybars of prices by the exchange rate of now. @throws ServiceError when no node answers */
export type RateNow = () => Promise<(price: bigint) => bigint>

/** The exchange rate of the network, asked for once within half a minute. */
export const rateBy = (asked: Asked): RateNow =>
  keptAnswers(RATE_VALID_MS, async () => {
    const rate = await askRate(asked)
    return (price: bigint) => tinybarsOf(price, rate)
  })
