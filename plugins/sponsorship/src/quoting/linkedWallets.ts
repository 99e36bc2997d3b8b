import { BoundedCache, type Clock } from '@causeway/core'
import type { FundingWallet } from '@causeway/core/plugin'

/** What a quote needs to know of the wallet that pays for an integrator. */
export type LinkedWallet = Pick<FundingWallet, 'wallet' | 'free'>

export interface LinkedWalletsDeps {
  readonly clock: Clock
  /** Reads the wallet of an integrator and what of its balance no quote keeps; null: none is linked. */
  read(integratorId: string): Promise<LinkedWallet | null>
}

const LIFE_MS = 1_000
const MOST = 1_000

/**
 * The wallets of integrators, read once a second at most for all quotes that they cover: the statement that stores a quote decides by the
 * link and the balance of that moment (`sponsorReservation`). Nobody is refused by what was read before.
 */
export class LinkedWallets {
  readonly #deps: LinkedWalletsDeps
  readonly #known: BoundedCache<LinkedWallet | null>

  constructor(deps: LinkedWalletsDeps) {
    this.#deps = deps
    const lifeOf = (found: LinkedWallet | null) => (found === null ? 0 : LIFE_MS)
    this.#known = new BoundedCache({ clock: deps.clock, maxEntries: MOST, lifeOf })
  }

  /** As it was within the last second. */
  recent(integratorId: string): Promise<LinkedWallet | null> {
    return this.#known.get(integratorId, () => this.#deps.read(integratorId))
  }

  /** As it is. */
  current(integratorId: string): Promise<LinkedWallet | null> {
    return this.#deps.read(integratorId)
  }
}
