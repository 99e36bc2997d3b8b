import { secp256k1 } from '@noble/curves/secp256k1.js'

/**
 * The curve secp256k1 in JavaScript. It needs no Node and loads in a few milliseconds, so everything but signing and recovery in a
 * host takes it from here; `keys/secp256k1Curve.ts` has the faster build for those two.
 */

/** Bytes of a signature `r || s`. */
const COMPACT_BYTES = 64

export const isSecretKey = (key: Uint8Array): boolean => secp256k1.utils.isValidSecretKey(key)

/** The public key of a private key: 33 bytes compressed, else 65. */
export const publicKeyOf = (privateKey: Uint8Array, compressed: boolean): Uint8Array =>
  secp256k1.getPublicKey(privateKey, compressed)

/** The 33 bytes of a public key of 33 or 65. @throws Error for bytes that are no point of the curve */
export const compressPublicKey = (publicKey: Uint8Array): Uint8Array =>
  secp256k1.Point.fromBytes(publicKey).toBytes(true)

/** Deterministic signature (RFC 6979) with low s, and the parity of the curve point. */
export const signRecoverable = (
  digest: Uint8Array,
  privateKey: Uint8Array,
): { readonly compact: Uint8Array; readonly parity: number } => {
  const recovered = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' })
  return { compact: recovered.subarray(1), parity: recovered[0] ?? 0 }
}

/** Whether s is in the upper half of its range. @throws Error for bytes that are no signature */
export const hasHighS = (compact: Uint8Array): boolean => parse(compact).hasHighS()

/** The uncompressed public key that gives a signature. @throws Error when no key gives it */
export const recoverKey = (digest: Uint8Array, compact: Uint8Array, parity: number): Uint8Array =>
  parse(compact).addRecoveryBit(parity).recoverPublicKey(digest).toBytes(false)

/** A signature in DER form. @throws Error for bytes that are no signature */
export const derSignature = (compact: Uint8Array): Uint8Array => parse(compact).toBytes('der')

const parse = (signature: Uint8Array) => secp256k1.Signature.fromBytes(signature.subarray(0, COMPACT_BYTES), 'compact')
