/** The smaller of two amounts. */
export const smaller = (left: bigint, right: bigint): bigint => {
  if (left < right) return left
  return right
}

/** The larger of two amounts. */
export const larger = (left: bigint, right: bigint): bigint => {
  if (left > right) return left
  return right
}
