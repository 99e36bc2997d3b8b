/** Nanoseconds of a second. */
export const SECOND = 1_000_000_000n

/** A time as mirror nodes write it: `seconds.nanos`, nine digits of nanoseconds. */
export const timeText = (nanos: bigint): string => `${nanos / SECOND}.${String(nanos % SECOND).padStart(9, '0')}`

/** Nanoseconds of `seconds.nanos`. @param text - checked before */
export const nanosOf = (text: string): bigint => {
  const [seconds = '0', nanos = '0'] = text.split('.')
  return BigInt(seconds) * SECOND + BigInt(nanos)
}
