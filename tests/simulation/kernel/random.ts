/** Deterministic randomness of one purpose: the same seed gives the same numbers. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** Whole, both ends included. */
  int(least: number, most: number): number
  pick<T>(items: readonly T[]): T
  chance(probability: number): boolean
  /** A stream of its own for one purpose: what it is asked for leaves this one as it is. */
  fork(name: string): Random
}

/** Spreads a text over 32 bits (FNV-1a, then a finishing mix). */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Randomness of a seed (mulberry32 over the hash of its text). */
export const seeded = (seed: number | string): Random => {
  const name = String(seed)
  let state = hashOf(name)
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    int,
    pick: (items) => {
      const item = items[int(0, items.length - 1)]
      if (item === undefined) throw new Error('Nothing to pick from.')
      return item
    },
    chance: (probability) => next() < probability,
    fork: (purpose) => seeded(`${name}/${purpose}`),
  }
}
