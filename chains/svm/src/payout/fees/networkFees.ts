/** Lamports for each signature of a transaction (chains.md svm 5). */
export const SIGNATURE_LAMPORTS = 5000n

const MICRO = 1_000_000n

/** Lamports for `units` of computation at `price` micro-lamports each, rounded up as the chain does. */
export const priorityFee = (units: bigint, price: bigint): bigint => (units * price + MICRO - 1n) / MICRO
