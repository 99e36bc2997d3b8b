import { forgetSeemsDead, recordSeemsDead, type StoredPayout, toSentAttempt } from '@causeway/core/money-path'
import type { LaneContext } from '../laneContext.js'

/**
 * The time between the first word that a generation is dead and what follows it. An adapter that gives this word too early
 * would have the money paid twice: so where payments expire by themselves, it must say it again some blocks later, and no
 * transaction of the generation may have come meanwhile (F122).
 */
export class DeathMargin {
  readonly #lane: LaneContext

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /** Blocks that must pass; what spends a guard is on the chain itself and is judged at finality, so nothing need. */
  get #blocks(): bigint {
    const { adapter, config } = this.#lane.chain
    const { bump, absoluteFinality = false } = adapter.capabilities
    const usual = bump === 'resign-after-expiry' && !absoluteFinality ? config.confirmations.settle : 0
    return BigInt(adapter.lane.deathMargin ?? usual)
  }

  /** True from the first word on until the blocks have passed: nobody need be asked before. */
  isRunning(payout: StoredPayout, height: bigint): boolean {
    const since = sinceOf(payout)
    return since !== null && height < since + this.#blocks
  }

  /** For a generation that is called dead now. False begins the time, or says that the chain shows something of it after all. */
  async isOver(payout: StoredPayout, height: bigint): Promise<boolean> {
    if (this.#blocks === 0n) return true
    if (sinceOf(payout) === null) {
      await this.#begin(payout, height)
      return false
    }
    if (this.isRunning(payout, height)) return false
    const states = await this.#lane.chain.adapter.lane.states(
      payout.live.map((attempt) => toSentAttempt(payout, attempt)),
    )
    const shown = states.find(({ status }, at) => payout.live[at]?.kind === 'pay' && mayPay(status))
    if (shown === undefined) return true
    this.#lane.log.error(
      { payout: payout.id, chainId: payout.chainId, status: shown.status },
      'A payment was called dead and is on the chain all the same: it is not paid anew. Tell the authors of the chain package',
    )
    await this.#begin(payout, height)
    return false
  }

  /** It is not dead after all. */
  async forget(payout: StoredPayout): Promise<void> {
    if (payout.data.seemsDead === undefined) return
    await forgetSeemsDead(this.#lane.pool, payout.id)
  }

  async #begin(payout: StoredPayout, height: bigint): Promise<void> {
    const { pool, clock, log, options } = this.#lane
    log.info({ payout: payout.id, height: height.toString() }, 'A generation seems dead and is looked at again')
    await recordSeemsDead(pool, payout, { height, at: clock.now() + options.tickMs })
  }
}

const mayPay = (status: string): boolean => status === 'success' || status === 'pending'

/** Height at which its live generation was first called dead; null where it was not, or is on its way again. */
const sinceOf = ({ data: { seemsDead }, generation, action }: StoredPayout): bigint | null =>
  seemsDead?.generation === generation && action === 'prove-dead' ? BigInt(seemsDead.height) : null
