import { ServiceError } from '@causeway/core'
import type { Outpoint } from '../../payout/coins/coin.js'

/** A transaction that is looked for, and what it spends. */
interface Waiting {
  readonly txId: string
  readonly spent: readonly Outpoint[]
}

/** Candidates that one step rechecks. */
const AT_ONCE = 4
/** Inputs that one step rechecks, of all of them together: strangers make them, and each costs requests. */
const INPUTS_AT_ONCE = 24

/** Candidates that a node does not list, waiting to be rechecked: those whose turn is longest ago come first. */
export class RecheckQueue {
  /** The input to go on with, by transaction, in the order of the turns. */
  readonly #next = new Map<string, number>()

  /** Rechecks some candidates in turn. A node that fails at this does not take away what was found before. */
  async recheck<Candidate extends Waiting, Found>(
    candidates: readonly Candidate[],
    ask: (candidate: Candidate) => Promise<readonly Found[]>,
  ): Promise<readonly Found[]> {
    const found: Found[] = []
    try {
      for (const candidate of this.due(candidates)) found.push(...(await ask(candidate)))
    } catch (error) {
      if (!ServiceError.is(error)) throw error
    }
    return found
  }

  /** Candidates to recheck now, each with no more of what it spends than is to be rechecked; a turn that fails is over too. */
  *due<Candidate extends Waiting>(candidates: readonly Candidate[]): Generator<Candidate> {
    const byId = new Map(candidates.map((candidate) => [candidate.txId, candidate]))
    for (const txId of this.#next.keys()) if (!byId.has(txId)) this.#next.delete(txId)
    for (const txId of byId.keys()) if (!this.#next.has(txId)) this.#next.set(txId, 0)
    let left = INPUTS_AT_ONCE
    for (const [txId, from] of [...this.#next].slice(0, AT_ONCE)) {
      const candidate = byId.get(txId)
      if (candidate === undefined || left === 0) return
      const spent = candidate.spent.slice(from, from + left)
      left -= spent.length
      this.#next.delete(txId)
      this.#next.set(txId, from)
      yield { ...candidate, spent }
      const to = from + spent.length
      this.#next.set(txId, to < candidate.spent.length ? to : 0)
    }
  }
}
