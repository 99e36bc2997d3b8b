import type { Payout, PayoutCall, PermitTerms } from '@causeway/core/chain'
import { requestGuard } from '@causeway/core/chain-kit'
import { type Contracts, ZERO_ADDRESS } from '../address/addresses.js'
import type { EncodedCall } from '../payout/contracts/encodedCall.js'
import { encodeFillCalls } from '../payout/contracts/fillRouter.js'
import { depositKey, encodePermit } from '../payout/contracts/permitRouter.js'

/**
 * The call of a transaction that is sent for a user: the signed deposit, or what the user wants called. That runs in a fresh account of the fill
 * router's, which holds nothing, unless the target is one that refuses contract callers and is configured so.
 * Throws Error when the payout asks for what this chain is not set up for.
 */
export const encodeOrigin = (payout: Payout, contracts: Contracts): EncodedCall => {
  const { permit, call } = payout
  if (permit !== undefined) {
    requireSigned(payout, permit.terms, contracts)
    return encodePermit(permit, contracts)
  }
  if (call === undefined) throw new Error('A transaction for a user needs a signed deposit or a call.')
  return encodeCall(payout, call, contracts)
}

const requireSigned = ({ to, orderId, money }: Payout, terms: PermitTerms, { depository }: Contracts): void => {
  const same =
    to.address.toLowerCase() === depository &&
    terms.orderId.toLowerCase() === orderId.toLowerCase() &&
    terms.money.currency.toLowerCase() === money.currency.toLowerCase() &&
    terms.money.amount === money.amount
  if (!same) throw new Error('A signed deposit pays the depository alone, what was signed for and under that order id.')
}

const encodeCall = (payout: Payout, call: PayoutCall, contracts: Contracts): EncodedCall => {
  if (call.value !== 0n) throw new Error('A call for a user moves no native currency of the account that sends it.')
  if (contracts.directCallTargets.has(call.to.toLowerCase())) {
    return { to: call.to.toLowerCase(), data: call.data, value: 0n }
  }
  // What the call leaves in the account goes to whoever pays for it.
  const money = { currency: ZERO_ADDRESS, amount: 0n }
  return encodeFillCalls({ ...payout, money, calls: [call], to: { address: payout.from } }, contracts)
}

/** Guards of what was signed, beside the nonce: anyone may submit a permit until it expires. */
export const originGuards = ({ permit }: Payout): readonly string[] => {
  if (permit === undefined) return []
  const { orderId, owner, money, expiresAt } = permit.terms
  return [requestGuard(depositKey({ orderId, owner, token: money.currency }), expiresAt)]
}
