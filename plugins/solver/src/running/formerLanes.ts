import { findFormerLanes, type LaneKey } from '@causeway/core/money-path'
import { pause } from '@causeway/core/plugin'
import { type LaneContext, laneKey } from '../laneContext.js'
import { LaneRunner } from './laneRunner.js'

const LOOK_MS = 5_000
/** After so long a lane is let go for a moment, so that a process that has its key can take it, and read again. */
const TURN_MS = 10_000

/**
 * The lanes of a chain's payout keys of before. What they sent may not be final when the key is changed, or come to light later, as
 * after an older backup was put back: it is followed to its end without the key, and each lane is read again for as long as it paid
 * orders that nobody knows.
 */
export class FormerLanes {
  readonly #lane: LaneContext

  /** @param lane - of the present key */
  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, chain } = this.#lane
    const followed = new Set<string>()
    while (!signal.aborted) {
      try {
        for (const { signer } of await findFormerLanes(this.#lane.pool, laneKey(this.#lane))) {
          if (followed.has(signer)) continue
          followed.add(signer)
          void this.#follow(signer, signal).finally(() => followed.delete(signer))
        }
      } catch (error) {
        log.warn({ chainId: chain.config.id, err: error }, 'Lanes of former payout keys could not be looked up')
      }
      await pause(LOOK_MS, signal)
    }
  }

  async #follow(signer: string, signal: AbortSignal): Promise<void> {
    const turn = new AbortController()
    const running = new LaneRunner({ ...this.#lane, signer: null, allocator: null, address: signer }).run(
      AbortSignal.any([signal, turn.signal]),
    )
    try {
      await this.#whileOpen({ chainId: this.#lane.chain.config.id, signer }, signal)
    } finally {
      turn.abort()
      await running
    }
    await pause(this.#lane.leases.ttlMs, signal)
  }

  async #whileOpen({ signer }: LaneKey, signal: AbortSignal): Promise<void> {
    const until = performance.now() + TURN_MS
    while (!signal.aborted && performance.now() < until) {
      await pause(LOOK_MS, signal)
      const open = await findFormerLanes(this.#lane.pool, laneKey(this.#lane)).catch(() => null)
      if (open !== null && !open.some((lane) => lane.signer === signer)) return
    }
  }
}
