import type { Hex } from '../../money/hex.js'

/**
 * What a search may ask of a request, each by equality (wire.md 3.1). `user` is the sender or the depositor of a deposit
 * address, `wallet` the sender or recipient (3.2), `hash` any deposit or fill transaction, `chainId` either side.
 */
export const RECORD_FIELDS = [
  'id',
  'orderId',
  'depositTxHash',
  'fillTxHash',
  'refundTxHash',
  'hash',
  'term',
  'user',
  'wallet',
  'recipient',
  'depositAddress',
  'originChainId',
  'destinationChainId',
  'chainId',
  'currencyInChainId',
  'currencyOutChainId',
  'currencyInAddress',
  'currencyOutAddress',
  'currencyInSymbol',
  'currencyOutSymbol',
  'status',
  'failReason',
  'refundFailReason',
  'requestType',
  'apiKey',
  'referrer',
] as const
export type RecordField = (typeof RECORD_FIELDS)[number]

/** One field: any of the values, or with `null` its emptiness; `not` turns it round, and then an empty field matches too. */
export interface RecordCondition {
  readonly field: RecordField
  readonly not: boolean
  readonly values: readonly string[] | null
}

/** Inclusive bounds; an absent one does not bound. */
export interface RecordRange {
  readonly from?: number
  readonly to?: number
}

export interface RecordRanges {
  /** Unix seconds; on `updatedAt` when sorted by it, else on `createdAt` (wire.md 3.1). */
  readonly time?: RecordRange
  /** Blocks of any transaction of the request; of its origin chain alone when `originBlocks` is set. */
  readonly block?: RecordRange
  readonly originBlocks?: boolean
  /** Dollars of what the user gives. */
  readonly amountUsd?: RecordRange
  readonly appFeesUsd?: RecordRange
  /** Seconds. */
  readonly fillTime?: RecordRange
}

export type RecordSort = 'createdAt' | 'updatedAt' | 'amountUsd'

/** Where a page ends: the value it is sorted by, as text, and what breaks ties. */
export interface RecordPosition {
  readonly key: string
  readonly tie: string
}

export interface RecordQuery {
  /** All must hold. */
  readonly conditions: readonly RecordCondition[]
  /** When there are any, all conditions of at least one must hold too. */
  readonly groups: readonly (readonly RecordCondition[])[]
  readonly ranges: RecordRanges
  /** At least one of them; absent: not asked. */
  readonly features?: readonly string[]
  /** Requests from or to these chains do not exist for the caller (wire.md K.3 8). */
  readonly hiddenChains: readonly number[]
  /** Only requests that were made with keys of this integrator; absent: everybody's. */
  readonly integratorId?: string
  /** Children of what an `id` or `depositAddress` names too (wire.md 3.1 includeChildRequests). */
  readonly children: boolean
  readonly sort: RecordSort
  readonly descending: boolean
  readonly limit: number
  readonly after: RecordPosition | null
}

/** A request on a page. Owner fields are for whoever `ownsAs` says. */
export interface RecordRow {
  readonly id: Hex
  readonly integratorId: string | null
  readonly apiKeyId: string | null
  readonly referrer: string | null
  /** True of a quote that nobody has paid. */
  readonly unpaid: boolean
  /** What `RecordColumns` added, by name. */
  readonly columns: Readonly<Record<string, unknown>>
}

export interface RecordPage {
  readonly rows: readonly RecordRow[]
  /**
   * Where the next page begins; null after the last. A search that looks at many requests to find few may end a page early:
   * the next one goes on from there.
   */
  readonly next: RecordPosition | null
}

/** What a reader of pages wants beside the row, so that one statement gives all. `r` is the request. */
export interface RecordColumns {
  readonly select: string
  readonly join: string
}
