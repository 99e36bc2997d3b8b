import { BoundedCache, larger, smaller, systemClock } from '@causeway/core'
import { type JsonRpcClient, resultOf } from '@causeway/core/chain-kit'
import type { SvmSettings } from '../../options.js'

const PRICE_MS = 10_000
const RENT_MS = 3_600_000
const MAX_PRICES = 1000
const MAX_SIZES = 1000
/** Of the prices that lately bought a place in a block: three in four were no higher. */
const PERCENTILE = 75

export interface FeeSourceDeps {
  readonly rpc: JsonRpcClient
  readonly settings: Pick<SvmSettings, 'minPriorityMicroLamports' | 'maxPriorityMicroLamports'>
}

interface RpcPriorityFee {
  readonly slot: number
  readonly prioritizationFee: number
}

/** What the network charges: the price of computation and the rent of accounts. Asked rarely, shared by all who wait. */
export class FeeSource {
  readonly #deps: FeeSourceDeps
  readonly #prices = new BoundedCache<bigint>({ clock: systemClock, maxEntries: MAX_PRICES, lifeOf: () => PRICE_MS })
  readonly #rents = new BoundedCache<bigint>({ clock: systemClock, maxEntries: MAX_SIZES, lifeOf: () => RENT_MS })

  constructor(deps: FeeSourceDeps) {
    this.#deps = deps
  }

  /** Micro-lamports to offer for one compute unit of a transaction that writes these accounts. */
  price(writable: readonly string[]): Promise<bigint> {
    const { minPriorityMicroLamports: least, maxPriorityMicroLamports: most } = this.#deps.settings
    if (least >= most) return Promise.resolve(most)
    return this.#prices.get(writable.join(' '), async () => {
      const [outcome] = await this.#deps.rpc.gather([{ method: 'getRecentPrioritizationFees', params: [writable] }])
      const recent = resultOf<readonly RpcPriorityFee[]>(outcome, 'getRecentPrioritizationFees')
      return smaller(larger(percentileOf(recent), least), most)
    })
  }

  /** Lamports that an account of so many bytes must hold. */
  rent(bytes: number): Promise<bigint> {
    return this.#rents.get(String(bytes), async () => {
      const [outcome] = await this.#deps.rpc.gather([{ method: 'getMinimumBalanceForRentExemption', params: [bytes] }])
      return BigInt(resultOf<number>(outcome, 'getMinimumBalanceForRentExemption'))
    })
  }
}

const percentileOf = (recent: readonly RpcPriorityFee[]): bigint => {
  const prices = recent.map(({ prioritizationFee }) => prioritizationFee).sort((left, right) => left - right)
  return BigInt(prices[Math.ceil((prices.length * PERCENTILE) / 100) - 1] ?? 0)
}
