import { evmAddressOfKey } from '@causeway/core/chain-kit'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { decodeBase58, encodeBase58 } from '../../address/base58check.js'
import { bytesOf, hexOf } from './protobuf.js'

const HEX = /^41[0-9a-f]{40}$/i

/** Hex with the prefix `41`, in lower case, of base58check. @throws SyntaxError for another text */
export const hexOfBase58 = (text: string): string => {
  const read = decodeBase58(text)
  if (typeof read === 'string') throw new SyntaxError(`${text.slice(0, 80)} is not an address`)
  return read.hex
}

/** Hex with the prefix `41`, in lower case, of either spelling. @throws SyntaxError for another text */
export const hexAddress = (text: string): string => (HEX.test(text) ? text.toLowerCase() : hexOfBase58(text))

/** Account of the network that gives to tests; its key is unknown. */
export const GIVER = `41${'f0'.repeat(20)}`

/** Whether a currency is TRX: the zero address in either spelling, or in that of Ethereum. */
export const isNative = (currency: string): boolean =>
  /^0x0{40}$/.test(currency) || hexAddress(currency) === `41${'0'.repeat(40)}`

export const base58Of = encodeBase58

/** Address of the 20 bytes that contracts see. */
export const addressOfWord = (bytes: Uint8Array): string => `41${hexOf(bytes.subarray(-20))}`

/** Address of a public key, compressed or not. */
export const addressOfKey = (publicKey: Uint8Array): string => `41${evmAddressOfKey(publicKey).slice(2)}`

/** Address of 32 secret bytes, in base58check. */
export const addressOfSecret = (secret: Uint8Array): string =>
  base58Of(addressOfKey(secp256k1.getPublicKey(secret, true)))

/** Address whose key signed a transaction id; null if the signature has none. Form: r, s, v, with v of 27 or 28, or of 0 or 1. */
export const signerOf = (id: string, signature: string): string | null => {
  try {
    const bytes = bytesOf(signature)
    if (bytes.length < 65) return null
    const recovery = (bytes[64] ?? 0) % 27
    const recovered = secp256k1.Signature.fromBytes(bytes.subarray(0, 64)).addRecoveryBit(recovery)
    return addressOfKey(recovered.recoverPublicKey(bytesOf(id)).toBytes(true))
  } catch {
    return null
  }
}
