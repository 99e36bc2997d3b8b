import type { CurrencyRegistry } from '@causeway/core'
import type { PreparedAttempt } from '@causeway/core/chain'
import {
  awaitLimit,
  findSpending,
  fitsAt,
  type MinuteSpending,
  type Spend,
  type SpendLimit,
  type StoredPayout,
  spendsOf,
} from '@causeway/core/money-path'
import { type Chain, parseWholeUnits } from '@causeway/core/plugin'
import { type LaneContext, laneKey } from '../laneContext.js'

/** How often a payout larger than its whole limit is looked at again: the operator may have raised it. */
const NEVER_FITS_MS = 600_000

/** The hourly limits of a chain's payout key, in smallest units. @throws Error naming the setting */
export const spendLimitsOf = ({ config, adapter }: Chain, currencies: CurrencyRegistry): readonly SpendLimit[] =>
  (config.limits?.perHour ?? []).map(({ currency, amount }) => {
    const known = currencies.find(config.id, adapter.normalizeCurrency(currency) ?? currency)
    const units = known === undefined ? null : parseWholeUnits(amount, known.decimals)
    if (known === undefined || units === null)
      throw new Error(`limits.perHour of chain ${config.id}: ${amount} of ${currency} is no amount of its currencies.`)
    return { currency: known.address, amount: units }
  })

/** What waits for a signature. */
interface Admissible {
  readonly payout: StoredPayout
  readonly feeCap: bigint
}

/** Lets through what the hour still allows; what is beyond waits, and the operator is told once for each wait. */
export class SpendGate {
  readonly #lane: LaneContext
  readonly #toldUntil = new Map<string, number>()

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /**
   * The items that may be signed now; `feeCap` is the most its transaction can cost, 0 before it was prepared. Whatever slips by
   * is refused by the transaction that stores it.
   */
  async admit<Item extends Admissible>(items: readonly Item[]): Promise<readonly Item[]> {
    const { pool, clock, limits } = this.#lane
    if (limits.length === 0 || items.length === 0) return items
    const now = clock.now()
    const spending = [...(await findSpending(pool, laneKey(this.#lane), now))]
    const held: { readonly payout: StoredPayout; readonly at: number }[] = []
    const admitted = items.filter(({ payout, feeCap }) => {
      const spends = spendsOf(payout, { native: this.#native, feeCap })
      const at = this.#timeOf(spends, spending, now)
      if (at > now) held.push({ payout, at })
      else spending.push(...spends.map((spend) => ({ ...spend, minute: now })))
      return at <= now
    })
    if (held.length > 0) await this.#hold(held, now)
    return admitted
  }

  /** Those of prepared payouts that may be signed with what their transactions can cost; all of them where fees have no limit. */
  async admitPrepared<Item extends { readonly payout: StoredPayout }>(
    items: readonly Item[],
    prepared: readonly (PreparedAttempt | null)[],
  ): Promise<readonly Item[]> {
    if (!this.#lane.limits.some(({ currency }) => currency === this.#native)) return items
    // The fee of a transaction that several share counts once.
    const feeCapAt = (at: number): bigint => {
      const item = prepared[at] ?? null
      return item === null || prepared.indexOf(item) < at ? 0n : item.feeCap
    }
    const admitted = await this.admit(items.map((item, at) => ({ ...item, feeCap: feeCapAt(at) })))
    const ids = new Set(admitted.map(({ payout }) => payout.id))
    return items.filter(({ payout }) => ids.has(payout.id))
  }

  get #native(): string {
    return this.#lane.chain.adapter.native.address
  }

  /** Unix milliseconds from which it may be signed. */
  #timeOf(spends: readonly Spend[], spending: readonly MinuteSpending[], now: number): number {
    const times = this.#lane.limits.map((limit) => {
      const amount = spends.reduce((sum, spend) => (spend.currency === limit.currency ? sum + spend.amount : sum), 0n)
      return amount === 0n ? now : (fitsAt(spending, limit, amount, now) ?? now + NEVER_FITS_MS)
    })
    return Math.max(now, ...times)
  }

  async #hold(held: readonly { readonly payout: StoredPayout; readonly at: number }[], now: number): Promise<void> {
    await awaitLimit(this.#lane.pool, held, now)
    for (const { payout, at } of held) this.#tell(payout, at, now)
  }

  #tell({ currency, id }: StoredPayout, at: number, now: number): void {
    if ((this.#toldUntil.get(currency) ?? 0) > now) return
    this.#toldUntil.set(currency, at)
    const { log, chain, address } = this.#lane
    log.error(
      { chainId: chain.config.id, signer: address, currency, payout: id, until: new Date(at).toISOString() },
      'The hourly limit of this signer is reached: payouts wait',
    )
  }
}
