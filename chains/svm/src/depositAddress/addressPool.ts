import { bytesToHex, type Hex, hexToBytes } from '@causeway/core'
import type { AddressPool, PooledAddress } from '@causeway/core/chain'
import { ed25519 } from '@noble/curves/ed25519.js'
import { decodeBase58, encodeBase58 } from '../address/base58.js'
import { deriveChildKey, saltOf } from './childKey.js'
import { deriveKey } from './slip10.js'

/** Key that answers for the addresses: beside the branch of theirs, and of no account that a wallet makes of a seed. */
const WITNESS_PATH = [44, 501, 0, 1] as const

/** Which chain's addresses: two clusters may run under one number, and one cluster under two. */
export interface PoolTerms {
  readonly chainId: number
  readonly genesisHash: string
  /** Base58 of the 32 bytes of the key that signs for the addresses. */
  readonly publicKey: string
}

/** Addresses that the holder of the seed made ahead: SLIP-10 derives nothing from public material (chains.md svm 8). */
export class SvmAddressPool implements AddressPool {
  readonly #terms: PoolTerms
  readonly #publicKey: Uint8Array

  /** @throws Error in plain words when the configured key is none */
  constructor(terms: PoolTerms) {
    this.#terms = terms
    this.#publicKey = publicKeyOf(terms.publicKey)
  }

  make(seed: Uint8Array, given: Hex): PooledAddress {
    const salt = bytesToHex(hexToBytes(given, 'salt', 32))
    const { address } = deriveChildKey(seed, salt)
    const signature = ed25519.sign(this.#text(address, salt), witnessOf(seed))
    return { destination: { address }, derivation: { salt }, signature: bytesToHex(signature) }
  }

  publicKey(seed: Uint8Array): string {
    return poolKeyOf(seed)
  }

  isGenuine({ destination, derivation, signature }: PooledAddress): boolean {
    const salt = saltOf(derivation)
    if (salt === null || destination.tag !== undefined || destination.memo !== undefined) return false
    try {
      const bytes = hexToBytes(signature, 'signature', 64)
      return ed25519.verify(bytes, this.#text(destination.address, salt), this.#publicKey, { zip215: false })
    } catch {
      return false
    }
  }

  /** What is signed; it begins like no transaction and no memo of this service. */
  #text(address: string, salt: Hex): Uint8Array {
    const { chainId, genesisHash } = this.#terms
    return Buffer.from(
      ['Causeway deposit address', `chain ${chainId}`, `cluster ${genesisHash}`, `address ${address}`, salt].join('\n'),
    )
  }
}

/** The public key that answers for the addresses of a seed, as configurations name it. */
export const poolKeyOf = (seed: Uint8Array): string => encodeBase58(ed25519.getPublicKey(witnessOf(seed)))

const witnessOf = (seed: Uint8Array): Uint8Array => deriveKey(seed, WITNESS_PATH).key

const publicKeyOf = (text: string): Uint8Array => {
  const bytes = decodeBase58(text)
  if (bytes?.length === 32 && ed25519.utils.isValidPublicKey(bytes, false)) return bytes
  throw new Error('options.depositPoolKey must be an ed25519 public key in base58.')
}
