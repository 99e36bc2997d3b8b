import { isSecretKey, publicKeyOf } from '@causeway/core/chain'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { deriveAddress } from 'ripple-keypairs'

const KEY_BYTES = 32

/** The account that deposit addresses belong to, and its key. */
export interface DepositAccount {
  /** 32 bytes. */
  readonly privateKey: Uint8Array
  /** Classic. */
  readonly address: string
}

/**
 * The account of the deposit addresses of a chain, by HKDF-SHA256 of the seed with the chain in its info, so that chains have keys of
 * their own (chains.md xrpvm 8).
 */
export const depositAccountOf = (seed: Uint8Array, chainId: number): DepositAccount => {
  const info = new TextEncoder().encode(`causeway/xrp/deposit-account/${chainId}`)
  let privateKey = hkdf(sha256, seed, new Uint8Array(), info, KEY_BYTES)
  // Of 2^128 tries about one is no valid key.
  for (let counter = 1; !isSecretKey(privateKey); counter++) {
    privateKey = hkdf(sha256, seed, new Uint8Array(), Uint8Array.of(...info, counter), KEY_BYTES)
  }
  return { privateKey, address: accountOfKey(privateKey) }
}

/** The classic address of a secp256k1 key of 32 bytes. */
export const accountOfKey = (privateKey: Uint8Array): string =>
  deriveAddress(Buffer.from(publicKeyOf(privateKey, true)).toString('hex').toUpperCase())
