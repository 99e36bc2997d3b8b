/** Decimal places of HBAR; the smallest unit is a tinybar. */
export const HBAR_DECIMALS = 8

/** Largest amount of one entry of a transfer: a signed integer of 64 bits. */
export const MAX_AMOUNT = 2n ** 63n - 1n
