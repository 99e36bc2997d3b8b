/** `0x` and hex digits. */
export type Hex = `0x${string}`
