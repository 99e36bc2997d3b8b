import type { PayoutCall } from '../chain/laneAdapter.js'

/**
 * What calls within a fill spend for certain: the native currency that they carry, smallest unit. It comes out of the output alone
 * (wire.md G.2). What they take of a token shows only when they run.
 */
export const spentByCalls = (calls: readonly Pick<PayoutCall, 'value'>[]): bigint =>
  calls.reduce((sum, { value }) => sum + value, 0n)

/** What they leave of an amount: for the recipient, as far as it can be told before they run. */
export const leftByCalls = (amount: bigint, calls: readonly Pick<PayoutCall, 'value'>[]): bigint => {
  const spent = spentByCalls(calls)
  return amount > spent ? amount - spent : 0n
}
