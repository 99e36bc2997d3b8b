import { readOutpoint } from '../payout/coins/coin.js'
import { areSpentFinally, type FinalityDeps } from './finality.js'
import { coinsText, type HeldPayout, type LanePosition, laneCoins, oldPayouts } from './lanePosition.js'

/** Payouts that one check asks the nodes about. */
const AT_ONCE = 20

/** Finds out, while payments go on, which old payouts hold their coins no longer: final blocks spent them all. */
export class FinishedPayouts {
  readonly #deps: Pick<FinalityDeps, 'pool' | 'settle'>
  readonly #finished = new Set<string>()
  readonly #overSweeps = new Set<string>()
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

  /** Coins of sweeps that are over, each written as `coinsText` does. */
  get overSweeps(): ReadonlySet<string> {
    return this.#overSweeps
  }

  /** Checks some old payouts of a position in the background, once for each new tip and not while it is checking. Never throws. */
  check(position: LanePosition, tip: bigint): void {
    if (this.#checking || this.#checkedAt === tip) return
    this.#checkedAt = tip
    const old = oldPayouts(position, tip)
    const listed = new Set(old.map(({ txId }) => txId))
    for (const txId of this.#finished) if (!listed.has(txId)) this.#finished.delete(txId)
    const held = new Set(position.payouts.map(({ coins }) => coinsText(coins)))
    for (const coins of this.#overSweeps) if (!held.has(coins)) this.#overSweeps.delete(coins)
    const open = old.filter(({ txId }) => !this.#finished.has(txId))
    const sweeps = position.payouts.filter(
      ({ swept, dead, height }) => swept !== undefined && dead !== true && tip - height > this.#deps.settle,
    )
    if (open.length + sweeps.length === 0) return
    const start = this.#start
    this.#start += AT_ONCE
    this.#checking = true
    Promise.all([this.#judge(inTurn(open, start)), this.#judgeSweeps(inTurn(sweeps, start))])
      // Nodes that do not answer are asked again by the next check.
      .catch(() => undefined)
      .finally(() => {
        this.#checking = false
      })
  }

  async #judge(open: ReturnType<typeof oldPayouts>): Promise<void> {
    for (const payout of open) {
      if (await areSpentFinally(payout.coins.map(readOutpoint), this.#deps)) this.#finished.add(payout.txId)
    }
  }

  /** Whatever spent the lane's own coins of a sweep, every version would have to. */
  async #judgeSweeps(open: readonly HeldPayout[]): Promise<void> {
    for (const payout of open) {
      if (await areSpentFinally(laneCoins(payout).map(readOutpoint), this.#deps))
        this.#overSweeps.add(coinsText(payout.coins))
    }
  }
}

/** Some, beginning at another one each time: some may never be finished. */
const inTurn = <Item>(items: readonly Item[], start: number): readonly Item[] => {
  const at = items.length === 0 ? 0 : start % items.length
  return [...items.slice(at), ...items.slice(0, at)].slice(0, AT_ONCE)
}
