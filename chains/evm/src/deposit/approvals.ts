import type { StepItemDraft } from '@causeway/core/chain'
import { encodeApprove } from '../payout/contracts/staticCall.js'
import { type StepContext, stepItem } from './stepItem.js'

/** Tokens that a contract of this service takes of a user by an allowance. */
export interface Spending {
  readonly owner: string
  readonly token: string
  readonly amount: bigint
  readonly spender: string
  /** The spender in plain words. */
  readonly by: 'depository' | 'swap router' | 'Permit2 contract'
}

/** What the chain says of a spending. */
export interface Allowance {
  readonly allowance: bigint
  /** The token refuses to change a non-zero allowance to another non-zero one. */
  readonly zeroReset: boolean
}

/** Steps before a spending: none where the allowance is enough, two for zero-reset tokens (wire.md 1.4). */
export const approvals = (
  { owner, token, amount, spender, by }: Spending,
  { allowance, zeroReset }: Allowance,
  context: StepContext,
): StepItemDraft[] => {
  if (allowance >= amount) return []
  const amounts = zeroReset && allowance > 0n ? [0n, amount] : [amount]
  return amounts.map((allowed) => ({
    stepId: 'approve',
    kind: 'transaction',
    action: 'Confirm transaction in your wallet',
    description:
      allowed === 0n
        ? 'Resets the allowance, as this token demands'
        : by === 'Permit2 contract'
          ? 'Allows Permit2, once for all, to take of this token what you sign for'
          : `Allows the ${by} to take the tokens once`,
    data: stepItem({ from: owner, to: token, data: encodeApprove(spender, allowed) }, context),
    // A batch leaves no allowance either, so a reset cannot be told from the end of one.
    ...(allowed === 0n ? {} : { approval: { owner, token, spender, amount } }),
  }))
}
