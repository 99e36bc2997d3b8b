/** A pool as far as its price goes. */
export interface Reserves {
  readonly id: string
  readonly label: string
  readonly mints: readonly [string, string]
  readonly amounts: readonly [bigint, bigint]
  readonly feeBps: number
}

export interface Hop {
  readonly pool: string
  readonly label: string
  readonly inputMint: string
  readonly outputMint: string
  readonly amountIn: bigint
  readonly amountOut: bigint
}

const BPS = 10_000n

/** The best way of at most `maxHops` pools in a row; null where there is none, or too little in the pools. */
export const bestRoute = (
  pools: readonly Reserves[],
  asked: {
    readonly from: string
    readonly to: string
    readonly amount: bigint
    readonly exactOut: boolean
    readonly maxHops: number
  },
): readonly Hop[] | null => {
  const routes = pathsOf(pools, asked.from, asked.to, asked.maxHops).flatMap((path) => {
    const hops = runPath(path, asked)
    return hops === null ? [] : [hops]
  })
  const better = (left: readonly Hop[], right: readonly Hop[]): boolean =>
    asked.exactOut
      ? (left[0]?.amountIn ?? 0n) < (right[0]?.amountIn ?? 0n)
      : (left.at(-1)?.amountOut ?? 0n) > (right.at(-1)?.amountOut ?? 0n)
  return routes.reduce<readonly Hop[] | null>(
    (best, route) => (best === null || better(route, best) ? route : best),
    null,
  )
}

interface Step {
  readonly pool: Reserves
  readonly inputMint: string
  readonly outputMint: string
  readonly held: bigint
  readonly wanted: bigint
}

const pathsOf = (pools: readonly Reserves[], from: string, to: string, maxHops: number): readonly Step[][] => {
  if (from === to) return [[]]
  if (maxHops === 0) return []
  return pools.flatMap((pool) => {
    const at = pool.mints.indexOf(from)
    if (at < 0) return []
    const [outputMint = '', held = 0n, wanted = 0n] = [pool.mints[1 - at], pool.amounts[at], pool.amounts[1 - at]]
    const step = { pool, inputMint: from, outputMint, held, wanted }
    const rest = pools.filter((other) => other !== pool)
    return pathsOf(rest, outputMint, to, maxHops - 1).map((path) => [step, ...path])
  })
}

const runPath = (
  path: readonly Step[],
  { amount, exactOut }: { readonly amount: bigint; readonly exactOut: boolean },
): readonly Hop[] | null => {
  const hops: Hop[] = []
  let moving = amount
  for (const { pool, inputMint, outputMint, held, wanted } of exactOut ? [...path].reverse() : path) {
    const keep = BPS - BigInt(pool.feeBps)
    if (exactOut && moving >= wanted) return null
    const amountIn = exactOut ? (held * moving * BPS) / ((wanted - moving) * keep) + 1n : moving
    const amountOut = exactOut ? moving : (wanted * moving * keep) / (held * BPS + moving * keep)
    if (amountOut === 0n) return null
    hops.push({ pool: pool.id, label: pool.label, inputMint, outputMint, amountIn, amountOut })
    moving = exactOut ? amountIn : amountOut
  }
  return exactOut ? hops.reverse() : hops
}
