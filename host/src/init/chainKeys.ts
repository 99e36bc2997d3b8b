import { createEd25519Signer, createSecp256k1Signer, type Signer } from '@causeway/core/chain'

/** Name in the keystore of the key that pays on a chain. */
export const payoutKey = (slug: string): string => `payout-${slug}`

/** Name in the keystore of the key that sends permits and calls for users on a chain. */
export const originKey = (slug: string): string => `origin-${slug}`

/** Name of a chain's own allocator key, where it cannot be the one of all others; null where it is that one. */
export const ownAllocator = (slug: string, scheme: Signer['scheme']): string | null =>
  scheme === 'secp256k1' ? null : `allocator-${slug}`

/** What signs with a key of the keystore. */
export const signerOf = (key: string, scheme: Signer['scheme']): Signer =>
  scheme === 'ed25519' ? createEd25519Signer(key) : createSecp256k1Signer(key)
