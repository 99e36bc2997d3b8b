import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Signer } from '../../../chain/signer.js'
import { ServiceError } from '../../../errors/serviceError.js'
import { createEd25519Signer } from '../../../keys/ed25519Signer.js'
import { createSecp256k1Signer } from '../../../keys/secp256k1Signer.js'
import { bytesToHex } from '../../../order/hexBytes.js'
import { isSecretKey } from '../../../signature/secp256k1.js'

const KEY_BYTES = 32

/** A key of the seed and its address. */
export interface SweepKey {
  readonly address: string
  readonly signer: Signer
}

/** The curve of a key, and the address of a public key (in the form of `Signer.publicKey`). */
export interface KeyForm {
  readonly scheme: Signer['scheme']
  addressOf(publicKey: Uint8Array): string
}

/** @param secret - 32 bytes */
export const sweepKeyOf = (secret: Uint8Array, { scheme, addressOf }: KeyForm): SweepKey => {
  const signer = (scheme === 'ed25519' ? createEd25519Signer : createSecp256k1Signer)(bytesToHex(secret))
  return { address: addressOf(signer.publicKey), signer }
}

/**
 * Returns the secret of the one account that all tagged addresses of a chain share: HKDF-SHA256 of the seed.
 * @param info - names the use and the chain, so that chains have different keys
 */
export const accountSecretOf = (seed: Uint8Array, info: string): Uint8Array => {
  const text = new TextEncoder().encode(info)
  let secret = hkdf(sha256, seed, new Uint8Array(), text, KEY_BYTES)
  // One of 2^128 hashes is no secp256k1 key.
  for (let counter = 1; !isSecretKey(secret); counter++)
    secret = hkdf(sha256, seed, new Uint8Array(), Uint8Array.of(...text, counter), KEY_BYTES)
  return secret
}

/** Returns the secp256k1 key of the one account that all tagged addresses of a chain share. @param info - as of `accountSecretOf` */
export const accountKeyOf = (seed: Uint8Array, info: string, addressOf: KeyForm['addressOf']): SweepKey =>
  sweepKeyOf(accountSecretOf(seed, info), { scheme: 'secp256k1', addressOf })

/**
 * Returns the key that signs sweeps of an address or an account.
 * @throws ServiceError SERVICE_UNAVAILABLE without the seed, or if the seed gives another address
 */
export const requireSweepKey = (
  address: string,
  seed: Uint8Array | undefined,
  keyOf: (seed: Uint8Array) => SweepKey,
): Signer => {
  if (seed === undefined) throw refused('A sweep of a deposit address needs the seed of its key (keys.hd).')
  const key = keyOf(seed)
  if (key.address === address) return key.signer
  throw refused(`The seed (keys.hd) does not give the key of ${address}, so its sweep cannot be signed.`)
}

const refused = (message: string): ServiceError => new ServiceError('SERVICE_UNAVAILABLE', message)
