import { HDKey } from '@scure/bip32'
import type { Hex } from '../../../money/hex.js'
import { indexesOfSalt } from './addressSalt.js'

/** An extended secp256k1 key of BIP-32: private if it comes from a seed, else public. */
export type HdKey = HDKey

/** Version bytes of extended keys in text. */
export interface HdVersions {
  readonly public: number
  readonly private: number
}

/** Depth of an account's key: purpose, coin, account. */
const ACCOUNT_DEPTH = 3
const RECEIVING = 0

/** Returns the private key of an account, from the `hd` seed of 16 to 64 bytes. @param path - for example `m/44'/195'/0'` */
export const hdAccountOfSeed = (seed: Uint8Array, path: string, versions?: HdVersions): HdKey =>
  HDKey.fromMasterSeed(seed, versions).derive(path)

/**
 * Reads the extended public key of an account from a configuration. Addresses are derived from the public key, so quoting needs no secret.
 * @param versions - accepted version bytes; default: those of xpub
 * @throws Error in plain words if the text is no such key or a private key
 */
export const readHdAccount = (text: string, network: string, versions: readonly (HdVersions | undefined)[]): HdKey => {
  const key = parseHdKey(text, versions)
  if (key === null) throw new Error(`This is no extended public key of ${network}.`)
  if (key.privateKey !== null)
    throw new Error('This is an extended private key. Only the public one may be configured here.')
  if (key.depth !== ACCOUNT_DEPTH)
    throw new Error("This is not the key of an account: its path must have three levels, as m/84'/0'/0'.")
  return key
}

const parseHdKey = (text: string, versions: readonly (HdVersions | undefined)[]): HdKey | null => {
  for (const candidate of versions) {
    try {
      return HDKey.fromExtendedKey(text, candidate)
    } catch {
      // Other version bytes, or no key.
    }
  }
  return null
}

/** A child of an account with its public key (33 bytes); the secret (32 bytes) is null below a public account. */
export interface HdChild {
  /** Below the account's path: `0/<eight indexes of the salt>`. */
  readonly path: string
  readonly publicKey: Uint8Array
  readonly secret: Uint8Array | null
}

/** Derives the child of a salt; every index is unhardened. */
export const hdChildOf = (account: HdKey, salt: Hex): HdChild => {
  const indexes = [RECEIVING, ...indexesOfSalt(salt)]
  const { publicKey, privateKey } = indexes.reduce((key, index) => key.deriveChild(index), account)
  if (publicKey === null) throw new Error('An extended key has no public key.')
  return { path: indexes.join('/'), publicKey, secret: privateKey }
}
