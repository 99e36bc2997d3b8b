export const lesser = (left: bigint, right: bigint): bigint => (right < left ? right : left)

export const greater = (left: bigint, right: bigint): bigint => (right > left ? right : left)
