import type { Hex } from '@causeway/core'
import { type SeedTree, seedPoolKey } from '@causeway/core/chain-kit'
import { encodeBase58 } from '../address/base58.js'

/** The address that signs for its own money in a sweep, and the salt that its key is derived from. */
export interface SweepSigner {
  readonly address: string
  readonly salt: Hex
}

/**
 * Purpose, Solana, account and change (chains.md svm 8). For tokens the user pays the same address; wallets find its associated token
 * account.
 */
export const SOLANA_KEYS: SeedTree = { root: [44, 501, 0, 0], witness: [44, 501, 0, 1], addressOf: encodeBase58 }

/** The public key that signs for the addresses of a seed, as configurations name it. */
export const poolKeyOf = (seed: Uint8Array): string => seedPoolKey(SOLANA_KEYS, seed)
