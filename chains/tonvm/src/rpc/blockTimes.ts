import { ServiceError } from '@causeway/core'

export interface BlockTimesDeps {
  /** Seqno of the newest masterchain block up to a time in seconds; null for a time after the newest block. */
  upTo(time: number, signal: AbortSignal): Promise<number | null>
  /** Time of a transaction inside of a masterchain block; null where the block has none. */
  inside(height: number, signal: AbortSignal): Promise<number | null>
}

const MOST_KNOWN = 10_000
/** Seconds before a node's clock in which its newest block is looked for. */
const MOST_BEHIND = 120

/**
 * Times of masterchain blocks at nodes that show none. Every block of the public network has transactions of the elector, which have the
 * time of their block; for another block the seconds are found between which its turn comes.
 */
export class BlockTimes {
  readonly #known = new Map<number, number>()

  constructor(readonly deps: BlockTimesDeps) {}

  /** @param now the node's own clock. @throws ServiceError SERVICE_UNAVAILABLE where the node does not show the time */
  async timeOf(height: number, now: number, signal: AbortSignal): Promise<number> {
    const known = this.#known.get(height)
    if (known !== undefined) return known
    const time = (await this.deps.inside(height, signal)) ?? (await this.#between(height, now, signal))
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.set(height, time)
    return time
  }

  /** The first second up to which the chain has come to the block. */
  async #between(height: number, now: number, signal: AbortSignal): Promise<number> {
    let reached: number | null = null
    for (let step = 0; step < MOST_BEHIND; step += 1) {
      const time = now - step
      const newest = await this.deps.upTo(time, signal)
      if (newest === null) continue
      if (newest < height) break
      if (newest > height + MOST_BEHIND) return this.#bisected(height, { late: time, span: MOST_BEHIND }, signal)
      reached = time
    }
    if (reached !== null) return reached
    throw new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain does not show the time of a block.')
  }

  async #bisected(
    height: number,
    { late, span }: { readonly late: number; readonly span: number },
    signal: AbortSignal,
  ): Promise<number> {
    let [early, end] = [late, late]
    for (let step = span; ((await this.deps.upTo(early, signal)) ?? height) >= height; step *= 2) {
      end = early
      early = Math.max(early - step, 0)
      if (early === 0) break
    }
    while (end - early > 1) {
      const middle = Math.floor((early + end) / 2)
      if (((await this.deps.upTo(middle, signal)) ?? height) >= height) end = middle
      else early = middle
    }
    return end
  }
}
