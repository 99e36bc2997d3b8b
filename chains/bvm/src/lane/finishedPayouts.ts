import { areSpentFinally, type FinalityDeps } from './finality.js'
import { type LanePosition, oldPayouts, outpointsOf } from './lanePosition.js'

/** Payouts that one check asks the nodes about. */
const AT_ONCE = 20

/** Finds out, while payments go on, which old payouts hold their coins no longer: final blocks spent them all. */
export class FinishedPayouts {
  readonly #deps: Pick<FinalityDeps, 'pool' | 'settle'>
  readonly #finished = new Set<string>()
  #checking = false
  #checkedAt = -1n
  #start = 0

  constructor(deps: Pick<FinalityDeps, 'pool' | 'settle'>) {
    this.#deps = deps
  }

  /** Ids of first versions, as far as they are known to be finished. */
  get txIds(): ReadonlySet<string> {
    return this.#finished
  }

  /** Checks some old payouts of a position in the background, once for each new tip and not while it is checking. Never throws. */
  check(position: LanePosition, tip: bigint): void {
    if (this.#checking || this.#checkedAt === tip) return
    this.#checkedAt = tip
    const old = oldPayouts(position, tip)
    const listed = new Set(old.map(({ txId }) => txId))
    for (const txId of this.#finished) if (!listed.has(txId)) this.#finished.delete(txId)
    const open = old.filter(({ txId }) => !this.#finished.has(txId))
    if (open.length === 0) return
    // In turn: some may never be finished.
    const start = this.#start % open.length
    this.#start = start + AT_ONCE
    this.#checking = true
    this.#judge([...open.slice(start), ...open.slice(0, start)].slice(0, AT_ONCE))
      // Nodes that do not answer are asked again by the next check.
      .catch(() => undefined)
      .finally(() => {
        this.#checking = false
      })
  }

  async #judge(open: ReturnType<typeof oldPayouts>): Promise<void> {
    for (const payout of open) {
      if (await areSpentFinally(outpointsOf(payout), this.#deps)) this.#finished.add(payout.txId)
    }
  }
}
