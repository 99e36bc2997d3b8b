import { ServiceError } from '@causeway/core'

/** Satoshis for a thousand virtual bytes: whole numbers, finer than sat/vB. */
export type FeeRate = bigint

/** What nodes ask at least for passing a transaction on, and for each replacement of it (BIP-125). */
export const RELAY_RATE: FeeRate = 1000n

/** Blocks of an hour: an estimate for more of them is none for a payment that should be in one of the next. */
const SOON = 6

/** Whether an estimate for so many blocks is of use where a transaction should be in one of the next `target`. */
export const isForSoon = (blocks: number, target: number): boolean => blocks <= Math.max(target, SOON)

/** Bounds of what this package pays. */
export interface FeeBounds {
  readonly floor: FeeRate
  readonly cap: FeeRate
}

/** The rate that is asked for, within the bounds; the floor is never below what nodes pass on. */
export const boundRate = (rate: FeeRate, { floor, cap }: FeeBounds): FeeRate => {
  const least = floor > RELAY_RATE ? floor : RELAY_RATE
  const most = cap > least ? cap : least
  return rate < least ? least : rate > most ? most : rate
}

/** Fee of a size at a rate, rounded up. */
export const feeOf = (size: bigint, rate: FeeRate): bigint => (size * rate + 999n) / 1000n

/**
 * Rate of sat/vB in decimal text, as Esplora and options write it.
 * @throws ServiceError RPC_HTTP_ERROR when it is no positive number
 */
export const rateOfText = (text: string): FeeRate => {
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:\.(\d{1,30}))?$/.exec(text) ?? []
  if (whole === '') throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain answered with a strange fee rate.')
  const thousandths = BigInt(whole + fraction.slice(0, 3).padEnd(3, '0'))
  return /[1-9]/.test(fraction.slice(3)) ? thousandths + 1n : thousandths
}
