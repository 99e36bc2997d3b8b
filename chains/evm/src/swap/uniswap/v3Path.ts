import type { Hex } from '@causeway/core'

/** Tokens and the fee tiers between them, packed as Uniswap V3 reads them. */
export const packPath = (path: readonly string[], fees: readonly number[]): Hex => {
  const [first = '', ...rest] = path.map((token) => token.slice(2))
  const hops = rest.map((token, at) => `${(fees[at] ?? 0).toString(16).padStart(6, '0')}${token}`)
  return `0x${first}${hops.join('')}`
}
