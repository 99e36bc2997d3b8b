/** What a pair holds, seen in the direction of a swap. */
export interface Reserves {
  readonly input: bigint
  readonly output: bigint
}

const SCALE = 10_000n
/** A pair cannot hold more of a token. */
const MAX_RESERVE = 2n ** 112n - 1n

/** What a pair gives for an input: the product of its reserves stays, after the fee. Null when it cannot. */
export const amountOut = (input: bigint, { input: held, output }: Reserves, feeBps: bigint): bigint | null => {
  if (held + input > MAX_RESERVE) return null
  const kept = input * (SCALE - feeBps)
  const out = (kept * output) / (held * SCALE + kept)
  return out > 0n ? out : null
}

/** What a pair takes for an output, rounded up; null when it has too little. */
export const amountIn = (out: bigint, { input: held, output }: Reserves, feeBps: bigint): bigint | null => {
  if (out >= output) return null
  const input = (held * out * SCALE) / ((output - out) * (SCALE - feeBps)) + 1n
  return held + input > MAX_RESERVE ? null : input
}
