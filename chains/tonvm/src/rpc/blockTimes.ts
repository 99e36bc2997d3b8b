export interface BlockTimesDeps {
  /** Seqno of the newest masterchain block up to a time in seconds; null for a time after the newest block. */
  upTo(time: number, signal: AbortSignal): Promise<number | null>
  /** Time of a transaction inside of a masterchain block; null where the block has none. */
  inside(height: number, signal: AbortSignal): Promise<number | null>
}

const MOST_KNOWN = 10_000

/**
 * Times of masterchain blocks at nodes that show none. Every block of the public network has transactions of the elector, which have the
 * time of their block; for another block the second is found in which its turn comes.
 */
export class BlockTimes {
  readonly #known = new Map<number, number>()

  constructor(readonly deps: BlockTimesDeps) {}

  /** @param now the node's own clock */
  async timeOf(height: number, now: number, signal: AbortSignal): Promise<number> {
    const known = this.#known.get(height)
    if (known !== undefined) return known
    const time = (await this.deps.inside(height, signal)) ?? (await this.#search(height, now, signal))
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.set(height, time)
    return time
  }

  /** The first second up to which the chain has come to the block. */
  async #search(height: number, now: number, signal: AbortSignal): Promise<number> {
    const isReached = async (time: number) => ((await this.deps.upTo(time, signal)) ?? height) >= height
    let [early, late] = [now - 1, now]
    for (let step = 2; early > 0 && (await isReached(early)); step *= 2) [early, late] = [now - step, early]
    while (late - early > 1) {
      const middle = Math.floor((early + late) / 2)
      if (await isReached(middle)) late = middle
      else early = middle
    }
    return late
  }
}
