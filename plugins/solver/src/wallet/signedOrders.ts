import type { Hex } from '@causeway/core'
import type { EarlierGeneration } from '@causeway/core/money-path'

interface Signed extends EarlierGeneration {
  readonly recipient: string
  readonly currency: string
  readonly amount: bigint
  /** Unix milliseconds. */
  readonly at: number
}

const DAY_MS = 86_400_000
/** Longer than an order can be good for. */
const KEPT_MS = 2 * DAY_MS

/** What this process signed for orders of operators, kept in memory: rows of the database may be changed behind it. */
export class SignedOrders {
  readonly #signed = new Map<Hex, Signed[]>()

  add(id: Hex, signed: Signed): void {
    for (const [known, list] of this.#signed) {
      if (list.every(({ at }) => Math.abs(signed.at - at) > KEPT_MS)) this.#signed.delete(known)
    }
    this.#signed.set(id, [...(this.#signed.get(id) ?? []), signed])
  }

  of(id: Hex): readonly EarlierGeneration[] {
    return this.#signed.get(id) ?? []
  }

  /** Sum of other orders within the last 24 hours, smallest unit. */
  sentWithinDay(
    to: { readonly recipient: string; readonly currency: string; readonly except: Hex },
    now: number,
  ): bigint {
    let sum = 0n
    for (const [id, list] of this.#signed) {
      const [first] = list
      if (id === to.except || first === undefined) continue
      const counts = first.recipient === to.recipient && first.currency === to.currency
      if (counts && list.some(({ at }) => Math.abs(now - at) <= DAY_MS)) sum += first.amount
    }
    return sum
  }
}
