import type { PayoutVerdict } from '../../chain/laneAdapter.js'
import type { Hex } from '../../money/hex.js'

/** A request of the allocator, which anybody may submit once. */
export interface AllocatorRequest {
  readonly hash: Hex
  /** Unix seconds. */
  readonly expiration: number
}

/** Guard of an allocator's request. The expiration is in it because the request stays usable until then. */
export const requestGuard = (hash: Hex, expiration: number): string => `request:${hash}:${expiration}`

/** The request that a guard is of, null where it guards something else. */
export const readRequestGuard = (guard: string): AllocatorRequest | null => {
  const [, hash, expiration] = /^request:(0x[0-9a-f]{64}):([0-9]+)$/.exec(guard) ?? []
  // CAST: matched above.
  return hash === undefined ? null : { hash: hash as Hex, expiration: Number(expiration) }
}

/** How one node sees requests. */
export interface RequestRules {
  /** By the newest state. */
  isUsed(hash: Hex): Promise<boolean>
  /** By the node's final time, and by the rule of the contract at the very second. */
  hasExpired(expiration: number): boolean
}

/** The verdict of one node over the requests among guards: `landed` when one was used, `alive` while one still can be, else `dead`. */
export const judgeRequests = async (
  guards: readonly string[],
  { isUsed, hasExpired }: RequestRules,
): Promise<PayoutVerdict> => {
  for (const guard of guards) {
    const request = readRequestGuard(guard)
    if (request === null) continue
    if (await isUsed(request.hash)) return 'landed'
    if (!hasExpired(request.expiration)) return 'alive'
  }
  return 'dead'
}
