import { larger, ServiceError, smaller } from '@causeway/core'
import type { FractionalFee, TokenState } from '../rpc/tokens.js'

/** Amounts of a transfer of a token with custom fees. */
export interface TokenAmounts {
  /** Amount that the transfer names. */
  readonly sent: bigint
  /** Amount that reaches the recipient. */
  readonly arrives: bigint
  /** Amount that leaves the sender. */
  readonly taken: bigint
}

/** The treasury and collectors of a fee do not pay it. @param sender - number of the account that sends */
const isExempt = (
  sender: string,
  fee: { readonly collector: string | null; readonly exemptsCollectors: boolean },
  token: TokenState,
) =>
  sender === token.treasury ||
  sender === fee.collector ||
  (fee.exemptsCollectors && [...token.fixedFees, ...token.fractionalFees].some(({ collector }) => collector === sender))

const shareOf = (sent: bigint, { numerator, denominator, minimum, maximum }: FractionalFee): bigint => {
  const raised = larger((sent * numerator) / denominator, minimum)
  return maximum > 0n ? smaller(raised, maximum) : raised
}

/**
 * Amounts of a transfer that names an amount (chains.md hederavm 4).
 * @throws ServiceError UNSUPPORTED_CURRENCY for a token whose fee is in another currency: no book of the service has it
 */
export const amountsOf = (sent: bigint, token: TokenState, sender: string): TokenAmounts => {
  const fixed = token.fixedFees.filter((fee) => !isExempt(sender, fee, token))
  if (fixed.some(({ currency }) => currency !== token.id))
    throw new ServiceError(
      'UNSUPPORTED_CURRENCY',
      'Transfers of this token cost a fee in another currency, which is not supported.',
    )
  const shares = token.fractionalFees.filter((fee) => !isExempt(sender, fee, token))
  const sumOf = (isOnTop: boolean) =>
    shares.filter((fee) => fee.isOnTop === isOnTop).reduce((sum, fee) => sum + shareOf(sent, fee), 0n)
  const onTop = fixed.reduce((sum, { amount }) => sum + amount, sumOf(true))
  return { sent, arrives: larger(sent - sumOf(false), 0n), taken: sent + onTop }
}

/** The least transfer that brings the recipient an amount. @throws ServiceError as `amountsOf`, and where no transfer does */
export const amountsToBring = (wanted: bigint, token: TokenState, sender: string): TokenAmounts => {
  const at = (sent: bigint) => amountsOf(sent, token, sender)
  if (at(wanted).arrives === wanted) return at(wanted)
  let [low, high] = [wanted, wanted * 2n + 1n]
  for (let doubled = 0; at(high).arrives < wanted; doubled += 1) {
    if (doubled === MOST_DOUBLINGS)
      throw new ServiceError('UNSUPPORTED_CURRENCY', 'The fees of this token take all of a transfer.')
    high *= 2n
  }
  while (low < high) {
    const middle = (low + high) / 2n
    if (at(middle).arrives < wanted) low = middle + 1n
    else high = middle
  }
  return at(low)
}

const MOST_DOUBLINGS = 64

/** The largest transfer that takes no more than an amount from its sender; its `sent` is 0 where none does. @throws ServiceError as `amountsOf` */
export const amountsWithin = (most: bigint, token: TokenState, sender: string): TokenAmounts => {
  const at = (sent: bigint) => amountsOf(sent, token, sender)
  if (at(most).taken <= most) return at(most)
  let [low, high] = [0n, most]
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (at(middle).taken > most) high = middle - 1n
    else low = middle
  }
  return low === 0n ? { sent: 0n, arrives: 0n, taken: 0n } : at(low)
}
