import type { Hex } from '@causeway/core'
import { derSignature, type Signer, signChecked } from '@causeway/core/chain'
import { sha512 } from '@noble/hashes/sha2.js'
import { encode, encodeForSigning } from 'ripple-binary-codec'
import { compressedHex } from '../address/addresses.js'
import type { NumberedTransaction } from './numberedTransaction.js'

/** Before the bytes of a signed transaction when its id is made: `TXN` and a zero. */
const TRANSACTION_PREFIX = Buffer.from('54584E00', 'hex')
const HALF = 32

const sha512Half = (bytes: Uint8Array): Uint8Array => sha512(bytes).subarray(0, HALF)

const capitals = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()

/** Id of a transaction: the hash of its signed bytes, in capital hex digits (chains.md xrpvm 1). */
export const idOfBytes = (bytes: Uint8Array): string => capitals(sha512Half(Buffer.concat([TRANSACTION_PREFIX, bytes])))

/**
 * Signs by a secp256k1 key: the digest is half a SHA-512 of the serialised transaction, the signature in DER form with the low s.
 * @throws ServiceError SERVICE_UNAVAILABLE when the signer does not sign, or signs something else
 */
export const signTransaction = async (
  transaction: NumberedTransaction,
  signer: Signer,
): Promise<{ readonly txId: string; readonly raw: Hex }> => {
  const unsigned = { ...transaction, SigningPubKey: compressedHex(signer.publicKey) }
  const digest = sha512Half(Buffer.from(encodeForSigning(unsigned), 'hex'))
  const signature = await signChecked(signer, digest)
  const TxnSignature = capitals(derSignature(signature))
  const bytes = Buffer.from(encode({ ...unsigned, TxnSignature }), 'hex')
  return { txId: idOfBytes(bytes), raw: `0x${bytes.toString('hex')}` }
}
