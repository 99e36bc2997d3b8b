import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { AddressPool, PooledAddress } from '../../../chain/address/depositAddresses.js'
import type { Hex } from '../../../money/hex.js'
import { bytesToHex, hexToBytes } from '../../../order/hexBytes.js'
import { type SweepKey, sweepKeyOf } from './accountKey.js'
import { indexesOfSalt, saltOfDerivation } from './addressSalt.js'
import { deriveEd25519Key } from './slip10.js'

const KEY_BYTES = 32

/** Where the ed25519 keys of a chain are in the tree of the seed (SLIP-10, every index hardened). */
export interface SeedTree {
  /** Path of the addresses; the eight indexes of a salt follow. */
  readonly root: readonly number[]
  /** Path of the key that signs for the pool: below no address, and no account that a wallet makes of a seed. */
  readonly witness: readonly number[]
  /** Address of a public key of 32 bytes. */
  addressOf(publicKey: Uint8Array): string
}

/** The key of an address, by the seed and the address's salt. */
export const seedKeyOf = ({ root, addressOf }: SeedTree, seed: Uint8Array, salt: Hex): SweepKey =>
  sweepKeyOf(deriveEd25519Key(seed, [...root, ...indexesOfSalt(salt)]).key, { scheme: 'ed25519', addressOf })

/** The public key, in base58, that signs for the addresses of a seed: the option `depositPoolKey`. */
export const seedPoolKey = (tree: SeedTree, seed: Uint8Array): string =>
  base58.encode(ed25519.getPublicKey(witnessOf(tree, seed)))

/** The chain and the public key of a pool. */
export interface SeedPoolTerms {
  /** Lines of the signed text that name the chain. */
  readonly chain: readonly string[]
  /** Base58, as `seedPoolKey` returns it. */
  readonly publicKey: string
}

/** Addresses that the holder of the seed makes ahead, since SLIP-10 derives no ed25519 address from public material. */
export class SeedAddressPool implements AddressPool {
  readonly #tree: SeedTree
  readonly #chain: readonly string[]
  readonly #publicKey: Uint8Array

  /** @throws Error in plain words if the configured key is no public key */
  constructor(tree: SeedTree, { chain, publicKey }: SeedPoolTerms) {
    this.#tree = tree
    this.#chain = chain
    this.#publicKey = readPoolKey(publicKey)
  }

  make(seed: Uint8Array, given: Hex): PooledAddress {
    const salt = bytesToHex(hexToBytes(given, 'salt', KEY_BYTES))
    const { address } = seedKeyOf(this.#tree, seed, salt)
    const signature = ed25519.sign(this.#text(address, salt), witnessOf(this.#tree, seed))
    return { destination: { address }, derivation: { salt }, signature: bytesToHex(signature) }
  }

  publicKey(seed: Uint8Array): string {
    return seedPoolKey(this.#tree, seed)
  }

  isGenuine({ destination, derivation, signature }: PooledAddress): boolean {
    const salt = saltOfDerivation(derivation)
    if (salt === null || destination.tag !== undefined || destination.memo !== undefined) return false
    try {
      const bytes = hexToBytes(signature, 'signature', 64)
      return ed25519.verify(bytes, this.#text(destination.address, salt), this.#publicKey, { zip215: false })
    } catch {
      return false
    }
  }

  /** The signed text begins like no transaction and no memo of this service. */
  #text(address: string, salt: Hex): Uint8Array {
    return Buffer.from(['Causeway deposit address', ...this.#chain, `address ${address}`, salt].join('\n'))
  }
}

const witnessOf = ({ witness }: SeedTree, seed: Uint8Array): Uint8Array => deriveEd25519Key(seed, witness).key

const readPoolKey = (text: string): Uint8Array => {
  try {
    const bytes = base58.decode(text)
    if (bytes.length === KEY_BYTES && ed25519.utils.isValidPublicKey(bytes, false)) return bytes
  } catch {
    // No base58.
  }
  throw new Error('options.depositPoolKey must be an ed25519 public key in base58.')
}
