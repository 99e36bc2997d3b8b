import { bytesToHex, type Hex, hexToBytes } from '@causeway/core'
import { keccak256 } from '@causeway/core/chain'

/** What a sender signs: 32 bytes that bind the note to its transfer. */
export const noteDigest = (note: string, requestId: Hex): Hex => {
  const text = new TextEncoder().encode(note)
  const bytes = new Uint8Array(32 + text.length)
  bytes.set(hexToBytes(requestId, 'request id', 32))
  bytes.set(text, 32)
  return bytesToHex(keccak256(bytes))
}
