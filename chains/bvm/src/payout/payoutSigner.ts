import type { Signer } from '@causeway/core'
import type { InputSigner } from './payoutTransaction.js'

/** Signs inputs with one of the service's keys, which are told uncompressed. */
export const payoutSigner = (signer: Signer): InputSigner => ({
  publicKey: compressKey(signer.publicKey),
  sign: (digest) => signer.sign(digest),
})

/** @throws Error when it is no secp256k1 key of 65 bytes */
export const compressKey = (publicKey: Uint8Array): Uint8Array => {
  if (publicKey.length !== 65 || publicKey[0] !== 4) throw new Error('The key is no uncompressed secp256k1 key.')
  return Uint8Array.from([(publicKey[64] ?? 0) % 2 === 0 ? 2 : 3, ...publicKey.subarray(1, 33)])
}
