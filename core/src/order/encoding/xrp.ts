import { base58xrp } from '@scure/base'
import { hexDigits, parseHexDigits } from '../hexBytes.js'
import { OrderEncodingError } from '../orderEncodingError.js'
import type { VmCodec } from './addressCodec.js'
import { parseBareHash, requireLength } from './bareHash.js'
import { checkedBase58 } from './checkedBase58.js'

const what = 'XRP address'
const base58Check = checkedBase58(base58xrp, what, 64)
const classicVersion = 0x00
const classicLength = 21
/** First bytes of an X-address of the main network; then account id, tag flag and eight tag bytes. */
const extendedVersion = [0x05, 0x44] as const
const extendedLength = 31

/** Bytes of a currency's code; those of a standard one are its three letters between zeros. */
const codeLength = 20
const standardCode = /^[A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}$/
const hexCode = /^(?!00)[0-9A-F]{40}$/
const standardPlace = 12

/**
 * The 20-byte account id; of an issued currency (`<CURRENCY>.<issuer>`) the 20 bytes of its code, and those of its issuer. An X-address counts as its account, except that one with a destination tag is refused: the tag
 * would be lost and the money with it (chains.md xrpvm 1 and 2).
 */
export const xrpCodec: VmCodec = {
  encode(text) {
    const dot = text.indexOf('.')
    if (dot >= 0) return Uint8Array.of(...codeOf(text.slice(0, dot)), ...classicOf(text.slice(dot + 1)))
    const payload = base58Check.decode(text)
    if (payload.length === classicLength && payload[0] === classicVersion) return payload.slice(1)
    if (payload.length === extendedLength) return accountOfExtended(payload)
    throw new OrderEncodingError(`${what}: neither a classic nor an X-address`)
  },
  decode(bytes) {
    if (bytes.length === 2 * codeLength) {
      return `${codeText(bytes.subarray(0, codeLength))}.${accountText(bytes.subarray(codeLength))}`
    }
    requireLength(bytes, what, 20)
    return accountText(bytes)
  },
  encodeTransactionId: (id) => parseBareHash(id, 'XRP transaction id'),
}

function accountText(account: Uint8Array): string {
  const payload = new Uint8Array(classicLength)
  payload[0] = classicVersion
  payload.set(account, 1)
  return base58Check.encode(payload)
}

function classicOf(text: string): Uint8Array {
  const payload = base58Check.decode(text)
  if (payload.length === classicLength && payload[0] === classicVersion) return payload.slice(1)
  throw new OrderEncodingError(`${what}: the issuer of a currency is no classic address`)
}

/** One spelling only: letters where three of them spell it, and never XRP itself. */
function codeOf(text: string): Uint8Array {
  const bytes = new Uint8Array(codeLength)
  if (standardCode.test(text) && text !== 'XRP') {
    bytes.set(new TextEncoder().encode(text), standardPlace)
    return bytes
  }
  if (hexCode.test(text)) return parseHexDigits(text, 0, what)
  throw new OrderEncodingError(`${what}: neither three letters nor 40 hex digits for a currency`)
}

function codeText(code: Uint8Array): string {
  if (code[0] !== 0) return hexDigits(code).toUpperCase()
  const text = new TextDecoder().decode(code.subarray(standardPlace, standardPlace + 3))
  const spelt = codeOf(text)
  if (spelt.every((byte, at) => byte === code[at])) return text
  throw new OrderEncodingError(`${what}: the code of a currency is none`)
}

function accountOfExtended(payload: Uint8Array): Uint8Array {
  if (payload[0] !== extendedVersion[0] || payload[1] !== extendedVersion[1]) {
    throw new OrderEncodingError(`${what}: not a main network address`)
  }
  if (payload.subarray(22).some((byte) => byte !== 0)) {
    throw new OrderEncodingError(`${what}: carries a destination tag`)
  }
  return payload.slice(2, 22)
}
