import { type HeadPace, JUMP_BLOCKS } from './headPace.js'

/** How long a node that shows less than was seen before is taken to lag. */
export const LAG_GRACE_MS = 5000
/** How long a node that shows a head which the chain's pace does not explain is taken to have invented it. */
const JUMP_GRACE_MS = 30_000

/**
 * Whether a head that a node shows becomes the one that is known. A lower one is first taken for a lagging node, one far higher than
 * blocks can have come for an invented one; each is believed when nothing else follows.
 */
export class HeadBelief {
  readonly #pace: HeadPace
  #lowSince: number | null = null
  #highSince: number | null = null

  constructor(pace: HeadPace) {
    this.#pace = pace
  }

  /** `known`: height of the head that is known, null at first. */
  takes(height: bigint, known: bigint | null, now = performance.now()): boolean {
    const most = this.#pace.explained(now, JUMP_BLOCKS)
    const high = known !== null && most !== null && height > most
    const low = known !== null && height < known
    this.#highSince = high ? (this.#highSince ?? now) : null
    this.#lowSince = low ? (this.#lowSince ?? now) : null
    if (this.#highSince !== null && now - this.#highSince < JUMP_GRACE_MS) return false
    if (this.#lowSince !== null && now - this.#lowSince < LAG_GRACE_MS) return false
    this.#highSince = null
    this.#lowSince = null
    this.#pace.note(height, now)
    return true
  }
}
