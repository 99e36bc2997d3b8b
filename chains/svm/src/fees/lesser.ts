/** Smaller of two amounts. */
export const lesser = (left: bigint, right: bigint): bigint => (left < right ? left : right)

/** Larger of two amounts. */
export const greater = (left: bigint, right: bigint): bigint => (left > right ? left : right)
