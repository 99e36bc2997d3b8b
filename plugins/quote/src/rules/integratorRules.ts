import { BoundedCache, type Clock, systemClock } from '@causeway/core'
import type { DatabasePool } from '@causeway/core/plugin'
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

  constructor({ pool, clock = systemClock }: IntegratorRulesDeps) {
    this.#pool = pool
    this.#kept = new BoundedCache({ clock, maxEntries: MAX_INTEGRATORS, lifeOf: () => KEEP_MS })
  }

  /** All rules of an integrator; `ruleFor` picks the one of a pair. */
  rulesOf(integratorId: string): Promise<readonly IntegratorRule[]> {
    return this.#kept.get(integratorId, () => readRules(this.#pool, integratorId))
  }
}
