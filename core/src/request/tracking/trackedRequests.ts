import { token } from '../../container/tokens.js'
import type { Hex } from '../../money/hex.js'
import type { RequestStatus } from '../requestStatus.js'

/** What a page about a transfer says before anything of it is read: as little as a title needs. */
export interface TrackedRequest {
  /** The id under which its status is told. */
  readonly requestId: Hex
  readonly status: RequestStatus
  readonly originChainId: number
  readonly destinationChainId: number
  /** Unix milliseconds. */
  readonly updatedAt: number
  /** Why it was not paid, where an operator sent the money back and that is its reason now; null too where nobody knows it any more. */
  readonly firstFailReason: string | null
}

/**
 * Finds the transfer that a link names: by request id, order id or the hash of any of its transactions. `0x` forms compare without
 * case, others exactly. A transfer of a private chain is found by its request id only, as its status is.
 */
export interface TrackedRequests {
  /** One statement; null: nothing has this id. */
  find(id: string): Promise<TrackedRequest | null>
}

export const TRACKED_REQUESTS = token<TrackedRequests>('core/TrackedRequests')
