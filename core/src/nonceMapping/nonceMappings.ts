import { token } from '../container/tokens.js'
import type { Hex } from '../money/hex.js'

/** Which transfer: the chain's nonces are unique by account. */
export interface NonceKey {
  /** `0x` and 40 hex digits, in any case. */
  readonly wallet: string
  readonly nonce: number
}

export interface NewNonceMapping extends NonceKey {
  /** Id of the chain of the transfer. */
  readonly chainId: number
  /** Whose money the transfer moves. */
  readonly depositor: string
  /** Order id. */
  readonly id: Hex
}

/** As it is stored: addresses and id in lower case. */
export interface NonceMapping extends NewNonceMapping {
  readonly wallet: Hex
  readonly depositor: Hex
  /** Unix milliseconds; `isMappingTimely` tells whether it came in time for a transfer. */
  readonly createdAt: number
}

/** `registered`: it is stored now. `known`: just this was stored before. `taken`: another one has the nonce, and stays. */
export type NonceRegistration = 'registered' | 'known' | 'taken'

/**
 * For whom a mapping is kept: `own`, this service, whose payment from one of its accounts it is for; else `holderOf` the caller, against
 * whom its bytes are counted (faults.md F133).
 */
export type MappingOwner = 'own' | { readonly holder: string | null }

/** Which orders transfers are for, on chains where a transfer cannot say so itself (wire.md 2.8). */
export interface NonceMappings {
  /** Name of the domain that quotes have signed; the same for the whole deployment. */
  readonly domainName: string
  /**
   * What is known of some transfers of a chain, one for each key, in their order; one round trip. A mapping was signed by its wallet, and
   * by nobody else: of another `depositor` it proves nothing.
   */
  find(chainId: number, keys: readonly NonceKey[]): Promise<readonly (NonceMapping | null)[]>
  /**
   * Keeps which order a transfer is for; of one transfer the first stays. Who calls this for `own` has to do so before it sends, with a
   * nonce that it uses for nothing else: after a crash the same mapping is `known`, and a nonce that is `taken` must not be used.
   * @throws HttpError 429 where untrusted callers used up their daily storage
   */
  register(mapping: NewNonceMapping, owner: MappingOwner): Promise<NonceRegistration>
}

export const NONCE_MAPPINGS = token<NonceMappings>('core/NonceMappings')
