/** Smaller of two amounts. */
export const lesser = (left: bigint, right: bigint): bigint => (left < right ? left : right)
