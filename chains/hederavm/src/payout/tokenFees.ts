import { larger, ServiceError, smaller } from '@causeway/core'
import type { CustomFee, TokenState } from '../rpc/tokens.js'

/** Amounts of a transfer of a token with custom fees. */
export interface TokenAmounts {
  /** Amount that the transfer names. */
  readonly sent: bigint
  /** Amount that reaches the recipient. */
  readonly arrives: bigint
  /** Amount that leaves the sender. */
  readonly taken: bigint
}

const feeOf = (sent: bigint, { amount }: CustomFee): bigint => {
  if (typeof amount === 'bigint') return amount
  const raised = larger((sent * amount.numerator) / amount.denominator, amount.minimum)
  return amount.maximum > 0n ? smaller(raised, amount.maximum) : raised
}

/** Fees that a sender pays: the treasury and collectors of a fee do not. */
const feesOf = (sender: string, { treasury, fees }: TokenState): readonly CustomFee[] => {
  const collects = fees.some(({ collector }) => collector === sender)
  return fees.filter(
    ({ collector, exemptsCollectors }) =>
      sender !== treasury && sender !== collector && !(exemptsCollectors && collects),
  )
}

/**
 * Amounts of a transfer that names an amount (chains.md hederavm 4).
 * @param sender - number of the account that sends
 * @throws ServiceError UNSUPPORTED_CURRENCY for a token whose fee is in another currency, which the ledger of the service does not have
 */
export const amountsOf = (sent: bigint, token: TokenState, sender: string): TokenAmounts => {
  const fees = feesOf(sender, token)
  if (fees.some(({ currency }) => currency !== token.id))
    throw new ServiceError(
      'UNSUPPORTED_CURRENCY',
      'Transfers of this token cost a fee in another currency, which is not supported.',
    )
  const sumOf = (isOnTop: boolean) =>
    fees.reduce((sum, fee) => (fee.isOnTop === isOnTop ? sum + feeOf(sent, fee) : sum), 0n)
  return { sent, arrives: larger(sent - sumOf(false), 0n), taken: sent + sumOf(true) }
}

const MOST_DOUBLINGS = 64

/** The least transfer that brings the recipient an amount. @throws ServiceError as `amountsOf`, and where no transfer does */
export const amountsToBring = (wanted: bigint, token: TokenState, sender: string): TokenAmounts => {
  const at = (sent: bigint) => amountsOf(sent, token, sender)
  if (at(wanted).arrives === wanted) return at(wanted)
  let most = wanted
  for (let doubled = 0; at(most).arrives < wanted; doubled += 1) {
    if (doubled === MOST_DOUBLINGS)
      throw new ServiceError('UNSUPPORTED_CURRENCY', 'The fees of this token take all of a transfer.')
    most *= 2n
  }
  return at(leastOf(wanted, most, (sent) => at(sent).arrives >= wanted))
}

/** The largest transfer that takes no more than an amount from its sender; its `sent` is 0 where none does. @throws ServiceError as `amountsOf` */
export const amountsWithin = (most: bigint, token: TokenState, sender: string): TokenAmounts => {
  const at = (sent: bigint) => amountsOf(sent, token, sender)
  if (at(most).taken <= most) return at(most)
  const sent = leastOf(0n, most, (least) => at(least + 1n).taken > most)
  return sent === 0n ? { sent, arrives: 0n, taken: 0n } : at(sent)
}

/** The least number of a range that a condition holds for; it holds for all above. */
const leastOf = (from: bigint, to: bigint, holds: (number: bigint) => boolean): bigint => {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) / 2n
    if (holds(middle)) high = middle
    else low = middle + 1n
  }
  return low
}
