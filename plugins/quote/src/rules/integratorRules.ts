import { BoundedCache, type Clock, systemClock } from '@causeway/core'
import { type DatabasePool, findFundingWallet } from '@causeway/core/plugin'
import type { IntegratorRule } from './integratorRule.js'
import { readRules } from './ruleStore.js'

const KEEP_MS = 5_000
const MAX_INTEGRATORS = 5_000

export interface IntegratorRulesDeps {
  readonly pool: DatabasePool
  /** Real time, not business time: how fresh a rule is does not follow the test's calendar. */
  readonly clock?: Clock
}

/** The rules quotes are made by. A change shows within five seconds on every host. */
export class IntegratorRules {
  readonly #pool: DatabasePool
  readonly #kept: BoundedCache<readonly IntegratorRule[]>
  readonly #wallets: BoundedCache<string | null>

  constructor({ pool, clock = systemClock }: IntegratorRulesDeps) {
    this.#pool = pool
    const kept = { clock, maxEntries: MAX_INTEGRATORS, lifeOf: () => KEEP_MS }
    this.#kept = new BoundedCache(kept)
    this.#wallets = new BoundedCache(kept)
  }

  /** The wallet that an integrator's part of a fee is owed to; null: it has none. */
  walletOf(integratorId: string): Promise<string | null> {
    return this.#wallets.get(integratorId, () => findFundingWallet(this.#pool, integratorId))
  }

  /** All rules of an integrator; `ruleFor` picks the one of a pair. */
  rulesOf(integratorId: string): Promise<readonly IntegratorRule[]> {
    return this.#kept.get(integratorId, () => readRules(this.#pool, integratorId))
  }
}
