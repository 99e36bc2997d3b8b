import { base58 } from '@scure/base'

/** Text of bytes, as addresses, signatures and instruction data are written. */
export const encodeBase58 = (bytes: Uint8Array): string => base58.encode(bytes)

/** Bytes of base58 text; null when a letter is none of the alphabet. */
export const decodeBase58 = (text: string): Uint8Array | null => {
  try {
    return base58.decode(text)
  } catch {
    return null
  }
}
