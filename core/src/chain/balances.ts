/** Which balance is asked for. */
export interface BalanceQuery {
  readonly address: string
  readonly currency: string
}

/** Balances in the order they were asked for, smallest units, all of one height. */
export interface Balances {
  /**
   * All that the account holds. Null where the chain did not tell it, for example because a call to the token failed: not known is not
   * 0, which would look like theft (faults.md F128).
   */
  readonly amounts: readonly (bigint | null)[]
  /**
   * What of each amount cannot leave the account while it is used: a reserve, rent, a minimum balance (chains.md xrpvm 5, Depository program);
   * absent: nothing of any. It is no money that can be paid with, and nobody has to book it where it came without a deposit.
   */
  readonly reserved?: readonly bigint[]
  readonly height: bigint
}

/** What can be paid with of the balance at this place of the answer; null where the chain did not tell it. */
export const spendableAt = ({ amounts, reserved }: Balances, at: number): bigint | null => {
  const amount = amounts[at] ?? null
  const kept = reserved?.[at] ?? 0n
  return amount === null ? null : amount > kept ? amount - kept : 0n
}
