import type { proto } from '@hiero-ledger/proto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Account } from '../state/entries.js'
import { hexOf } from '../values.js'

export interface Signers {
  has(key: proto.IKey): boolean
  /** Keys that valid signatures name in full. */
  readonly full: readonly proto.IKey[]
}

/** EVM address, in hex without 0x, of a compressed ECDSA key. */
export const evmAddressOf = (compressed: Uint8Array): string =>
  hexOf(keccak_256(secp256k1.Point.fromBytes(compressed).toBytes(false).slice(1)).slice(12))

/** A primitive key as text; undefined for a key of keys and for a contract's. */
export const keyText = ({ ed25519: edwards, ECDSASecp256k1: ecdsa }: proto.IKey): string | undefined => {
  if (edwards?.length) return `ed25519:${hexOf(edwards)}`
  return ecdsa?.length ? `ecdsa:${hexOf(ecdsa)}` : undefined
}

const isValid = (pair: proto.ISignaturePair, key: proto.IKey, message: Uint8Array): boolean => {
  const { ed25519: edwards, ECDSASecp256k1: ecdsa } = pair
  try {
    if (edwards?.length && key.ed25519?.length) return ed25519.verify(edwards, message, key.ed25519)
    if (!ecdsa?.length || !key.ECDSASecp256k1?.length) return false
    return secp256k1.verify(ecdsa, keccak_256(message), key.ECDSASecp256k1, { prehash: false })
  } catch {
    return false
  }
}

/** Signatures of a transaction. A pair may name a key by its first bytes only. */
export class SignatureMap implements Signers {
  readonly #pairs: readonly proto.ISignaturePair[]
  readonly #message: Uint8Array
  readonly #known = new Map<string, boolean>()
  #full: readonly proto.IKey[] | undefined

  constructor(map: proto.ISignatureMap | null | undefined, message: Uint8Array) {
    this.#pairs = map?.sigPair ?? []
    this.#message = message
  }

  has(key: proto.IKey): boolean {
    const text = keyText(key) ?? ''
    const found = this.#known.get(text) ?? this.#verify(key, text.slice(text.indexOf(':') + 1))
    this.#known.set(text, found)
    return found
  }

  #verify(key: proto.IKey, hex: string): boolean {
    const named = this.#pairs.filter(({ pubKeyPrefix }) => hex.startsWith(hexOf(pubKeyPrefix ?? new Uint8Array())))
    return named.some((pair) => isValid(pair, key, this.#message))
  }

  get full(): readonly proto.IKey[] {
    this.#full ??= this.#pairs
      .map((pair): proto.IKey => {
        const prefix = pair.pubKeyPrefix ?? new Uint8Array()
        return pair.ed25519?.length ? { ed25519: prefix } : { ECDSASecp256k1: prefix }
      })
      .filter((key) => this.has(key))
    return this.#full
  }
}

/** Keys that signed a schedule, as text. */
export const storedSigners = (texts: readonly string[]): Signers => ({
  has: (key) => texts.includes(keyText(key) ?? ''),
  full: [],
})

/** Whether a key, a list of keys or a threshold key signed. */
export const hasSigned = (key: proto.IKey, signers: Signers): boolean => {
  const { keyList, thresholdKey } = key
  if (thresholdKey) {
    const all = thresholdKey.keys?.keys ?? []
    return all.filter((one) => hasSigned(one, signers)).length >= (thresholdKey.threshold ?? 1)
  }
  const all = keyList?.keys
  if (all) return all.length > 0 && all.every((one) => hasSigned(one, signers))
  return keyText(key) !== undefined && signers.has(key)
}

/** The key that completes a hollow account: the ECDSA key of its alias, named in full by a valid signature. */
export const completingKey = ({ key, alias }: Account, signers: Signers): proto.IKey | undefined =>
  key !== null || alias === null
    ? undefined
    : signers.full.find(({ ECDSASecp256k1: ecdsa }) => ecdsa?.length === 33 && evmAddressOf(ecdsa) === alias)
