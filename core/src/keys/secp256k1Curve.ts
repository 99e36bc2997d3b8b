const DIGEST_LENGTH = 32
const SIGNATURE_LENGTH = 65
/** `v` is 27 plus the parity of the curve point. */
const V_OFFSET = 27

/** The functions of libsecp256k1, as libraries for Bitcoin take them. */
export type Secp256k1Curve = typeof import('tiny-secp256k1')

let loading: Promise<Secp256k1Curve> | undefined

/** libsecp256k1 as WebAssembly, six times faster than the curve in JavaScript. The first caller loads it. */
export const secp256k1Curve = (): Promise<Secp256k1Curve> => {
  loading ??= import('tiny-secp256k1')
  return loading
}

/** Deterministic signature (RFC 6979) with low s: 65 bytes `r || s || v`, v 27 or 28. */
export const signDigest = async (digest: Uint8Array, privateKey: Uint8Array): Promise<Uint8Array> => {
  if (digest.length !== DIGEST_LENGTH) throw new RangeError('A digest to sign is 32 bytes.')
  const { signature, recoveryId } = (await secp256k1Curve()).signRecoverable(digest, privateKey)
  const whole = new Uint8Array(SIGNATURE_LENGTH)
  whole.set(signature)
  whole[SIGNATURE_LENGTH - 1] = V_OFFSET + recoveryId
  return whole
}

/** Uncompressed public key (65 bytes) that made a signature of `signDigest`'s form; null when none did. */
export const recoverPublicKey = async (digest: Uint8Array, signature: Uint8Array): Promise<Uint8Array | null> => {
  if (digest.length !== DIGEST_LENGTH || signature.length !== SIGNATURE_LENGTH) return null
  const parity = (signature[SIGNATURE_LENGTH - 1] ?? 0) - V_OFFSET
  if (parity !== 0 && parity !== 1) return null
  try {
    return (await secp256k1Curve()).recover(digest, signature.subarray(0, SIGNATURE_LENGTH - 1), parity, false)
  } catch {
    // It throws for numbers that are no signature at all.
    return null
  }
}
