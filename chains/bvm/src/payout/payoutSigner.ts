import { ServiceError } from '@causeway/core'
import { type Signer, signChecked } from '@causeway/core/chain'
import type { InputSigner } from './payoutTransaction.js'

/** Signs inputs with one of the service's keys, which are told uncompressed; every signature is checked (F113). */
export const payoutSigner = (signer: Signer): InputSigner => ({
  publicKey: compressKey(signer.publicKey),
  sign: (digest) => signChecked(signer, digest),
})

/** @throws ServiceError SERVICE_UNAVAILABLE when it is no secp256k1 key of 65 bytes */
export const compressKey = (publicKey: Uint8Array): Uint8Array => {
  if (publicKey.length !== 65 || publicKey[0] !== 4)
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The key of this chain must be a secp256k1 key.')
  return Uint8Array.from([(publicKey[64] ?? 0) % 2 === 0 ? 2 : 3, ...publicKey.subarray(1, 33)])
}
