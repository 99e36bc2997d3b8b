import { base64nopad, base64urlnopad } from '@scure/base'
import { hexDigits } from '../hexBytes.js'

const BARE_HASH = /^(?:0x)?([0-9a-f]{64})$/i
const BASE64_HASH = /^[A-Za-z0-9+/_-]{43}=?$/

/** The hash of a TON transaction as 64 bare hex digits, of the forms it is named by (wire.md 3.1, rule 5 of `route.actual`). */
export const tonHash = (txId: string): string => {
  const hash = txId.slice(txId.lastIndexOf(':') + 1)
  const hex = BARE_HASH.exec(hash)?.[1]
  if (hex !== undefined) return hex.toLowerCase()
  return BASE64_HASH.test(hash) ? hexDigits(bytesOf(hash.replace('=', ''))) : txId
}

const bytesOf = (text: string): Uint8Array => (/[-_]/.test(text) ? base64urlnopad : base64nopad).decode(text)
