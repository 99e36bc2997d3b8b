import type { BroadcastResult } from '../../chain/laneAdapter.js'

type NotKnown = Exclude<BroadcastResult, { readonly outcome: 'known' }>

const NOT_TRIED: BroadcastResult = { outcome: 'unknown', message: 'No node of this chain takes transactions now' }

/** Answers of nodes to one transaction that was sent to them in turn. */
export class BroadcastTally {
  #isTaken = false
  #doubt: NotKnown | null = null
  #rejection: NotKnown | null = null

  /** Whether a node took it or has it. */
  get isTaken(): boolean {
    return this.#isTaken
  }

  /** Notes what one node said; null: it has not tried it. */
  note(result: BroadcastResult | null): void {
    if (result === null) return
    if (result.outcome === 'known') this.#isTaken = true
    else if (result.outcome === 'rejected') this.#rejection ??= result
    else this.#doubt ??= result
  }

  /** `known` when a node has it; `rejected` when all that tried it rejected it; else `unknown` (faults.md F54). */
  result(): BroadcastResult {
    if (this.#isTaken) return { outcome: 'known' }
    if (this.#doubt === null) return this.#rejection ?? NOT_TRIED
    return this.#rejection === null ? this.#doubt : { ...this.#doubt, message: this.#rejection.message }
  }
}
