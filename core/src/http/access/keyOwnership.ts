import { token } from '../../container/tokens.js'
import type { Caller } from './integratorAuth.js'

/** Which keys belong to whom: what every operation asks that filters by keys or shows an owner's fields. */
export interface KeyOwnership {
  /**
   * The ids of keys that a caller names, each by the key itself or by its id, in the order given. Revoked keys still belong
   * to their integrator. Throws `ServiceError` `FORBIDDEN` where one is not of the caller's integrator, is unknown, or the
   * caller is anonymous or proxied (wire.md K.3 3): which of these is not told.
   */
  ownedKeyIds(caller: Caller, named: readonly string[]): Promise<readonly string[]>
  /** The names that keys have now, by id; null for a key without one. Unknown ids are left out. */
  keyNames(apiKeyIds: readonly string[]): Promise<ReadonlyMap<string, string | null>>
}

export const KEY_OWNERSHIP = token<KeyOwnership>('core/KeyOwnership')

/**
 * Whether owner fields of something made by `integratorId` may be shown to the caller. A proxied caller owns nothing: its
 * key was added on the word of a browser's `Origin`, which other clients can forge.
 */
export const ownsAs = (caller: Caller, integratorId: string | null): boolean =>
  caller.kind === 'integrator' &&
  caller.proxied !== true &&
  integratorId !== null &&
  caller.integratorId === integratorId
