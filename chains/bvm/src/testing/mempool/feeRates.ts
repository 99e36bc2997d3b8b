/** Rates a node recommends, by blocks to wait: satoshis per 1,000 virtual bytes. */
export class FeeRates {
  #rates = new Map<number, bigint>([
    [1, 20_000n],
    [3, 12_000n],
    [6, 8_000n],
    [144, 2_000n],
    [1008, 1_000n],
  ])

  /** Replaces all of them; none: the node then knows too little to say. */
  set(rates: Readonly<Record<number, bigint>>): void {
    this.#rates = new Map(Object.entries(rates).map(([blocks, rate]) => [Number(blocks), rate]))
  }

  /** The rate for a wait of at most so many blocks; undefined when nothing is known. */
  for(blocks: number): { readonly rate: bigint; readonly blocks: number } | undefined {
    const known = [...this.#rates].sort(([a], [b]) => a - b)
    const found = known.filter(([wait]) => wait <= blocks).at(-1) ?? known[0]
    return found && { blocks: found[0], rate: found[1] }
  }

  all(): readonly (readonly [number, bigint])[] {
    return [...this.#rates].sort(([a], [b]) => a - b)
  }
}
