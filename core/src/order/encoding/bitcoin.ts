import { base58, bech32, bech32m } from '@scure/base'
import { OrderEncodingError } from '../orderEncodingError.js'
import type { VmCodec } from './addressCodec.js'
import { parseBareHash, requireLength } from './bareHash.js'
import { checkedBase58 } from './checkedBase58.js'

export interface BitcoinNetwork {
  /** Human-readable part of segwit addresses. */
  readonly prefix: string
  readonly publicKeyHash: number
  readonly scriptHash: number
}

const what = 'Bitcoin address'
const legacyMark = 0xff
const base58Check = checkedBase58(base58, what, 64)

/** The native placeholder: a 19-byte program that no node accepts, with an encoding of its own (20 zero bytes). */
const placeholder = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'
const placeholderLength = 20

/**
 * Codec of one Bitcoin network (chains.md bvm 2). Segwit: witness version and program; base58: `0xff`, version byte and
 * hash. The network is not part of the bytes, so each deployment's chain of another network needs its own VM name.
 */
export function createBitcoinCodec(network: BitcoinNetwork): VmCodec {
  return {
    encode(text) {
      if (typeof text !== 'string' || text.length > 90) throw new OrderEncodingError(`${what}: wrong length`)
      const lower = text.toLowerCase()
      if (!lower.startsWith(`${network.prefix}1`)) return encodeLegacy(text, network)
      // Bech32 allows either case, never both.
      if (text !== lower && text !== text.toUpperCase()) throw new OrderEncodingError(`${what}: mixed case`)
      return lower === placeholder ? new Uint8Array(placeholderLength) : encodeSegwit(lower, network)
    },
    decode(bytes) {
      if (bytes[0] === legacyMark) return decodeLegacy(bytes, network)
      if (bytes.length === placeholderLength && bytes.every((byte) => byte === 0)) return placeholder
      return decodeSegwit(bytes, network)
    },
    encodeTransactionId: (id) => parseBareHash(id, 'Bitcoin transaction id'),
  }
}

/** Codec of the main network. */
export const bitcoinCodec = createBitcoinCodec({ prefix: 'bc', publicKeyHash: 0x00, scriptHash: 0x05 })

function encodeLegacy(text: string, network: BitcoinNetwork): Uint8Array {
  const payload = base58Check.decode(text)
  requireLength(payload, what, 21)
  requireLegacyVersion(payload[0], network)
  const bytes = new Uint8Array(22)
  bytes[0] = legacyMark
  bytes.set(payload, 1)
  return bytes
}

function decodeLegacy(bytes: Uint8Array, network: BitcoinNetwork): string {
  requireLength(bytes, what, 22)
  requireLegacyVersion(bytes[1], network)
  return base58Check.encode(bytes.subarray(1))
}

function requireLegacyVersion(version: number | undefined, network: BitcoinNetwork): void {
  if (version !== network.publicKeyHash && version !== network.scriptHash) {
    throw new OrderEncodingError(`${what}: foreign network`)
  }
}

/** Version 0 is bech32, later ones bech32m (BIP-350). */
const coderOf = (version: number | undefined) => (version === 0 ? bech32 : bech32m)

function encodeSegwit(lower: string, network: BitcoinNetwork): Uint8Array {
  const decoded = bech32.decodeUnsafe(lower) ?? bech32m.decodeUnsafe(lower)
  if (decoded === undefined || decoded.prefix !== network.prefix) {
    throw new OrderEncodingError(`${what}: wrong checksum`)
  }
  const [version = -1, ...words] = decoded.words
  const coder = coderOf(version)
  if (coder.decodeUnsafe(lower) === undefined) throw new OrderEncodingError(`${what}: wrong checksum for its version`)
  const program = coder.fromWordsUnsafe(words)
  if (!program) throw new OrderEncodingError(`${what}: wrong padding`)
  requireWitness(version, program)
  const bytes = new Uint8Array(1 + program.length)
  bytes[0] = version
  bytes.set(program, 1)
  return bytes
}

function decodeSegwit(bytes: Uint8Array, network: BitcoinNetwork): string {
  const version = bytes[0] ?? -1
  const program = bytes.subarray(1)
  requireWitness(version, program)
  const coder = coderOf(version)
  return coder.encode(network.prefix, [version, ...coder.toWords(program)])
}

/** Version 0 of 20 or 32 bytes, version 1 of 32 (taproot). What others hold anybody could spend, so no fill pays it (chains.md bvm 1). */
function requireWitness(version: number, program: Uint8Array): void {
  if (version !== 0 && version !== 1) {
    throw new OrderEncodingError(`${what}: a witness version that nobody can spend safely yet`)
  }
  requireLength(program, what, ...(version === 0 ? [20, 32] : [32]))
}
