import { randomBytes } from 'node:crypto'
import { bytesToHex, type Hex } from '@causeway/core'
import type { Order } from '@causeway/core/chain'
import type { QuoteIds } from '@causeway/core/plugin'

/** What a priced quote is known by from now on. Without the solver there is no order. */
export interface QuoteResult extends QuoteIds {
  readonly order: Order | null
  /** Unix seconds; after it the quote may no longer be filled. */
  readonly orderDeadline: number
}

/** That of a quote with an order. */
export interface OrderedResult extends QuoteResult {
  readonly order: Order
  readonly orderId: Hex
}

export const isOrdered = (result: QuoteResult): result is OrderedResult => result.order !== null

/** A request id of its own, where there is no order to derive it from (wire.md H.2 requestId). */
export const newRequestId = (): Hex => bytesToHex(randomBytes(32))
