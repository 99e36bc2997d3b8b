import type { AddressCheck } from '@causeway/core/chain'
import { decodeBase58, encodeBase58 } from './base58.js'

/** Marker of the native currency: the address of the System program (chains.md svm 1). */
export const NATIVE = '11111111111111111111111111111111'

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'
const ADDRESS_BYTES = 32
/** 44 letters are enough for 32 bytes. */
const MAX_LETTERS = 44

const isAddress = (text: string): boolean => {
  if (text.length < ADDRESS_BYTES || text.length > MAX_LETTERS) return false
  const bytes = decodeBase58(text)
  return bytes?.length === ADDRESS_BYTES && encodeBase58(bytes) === text
}

/**
 * Base58 of 32 bytes, case-sensitive, written in one way only (chains.md svm 1). An address off the curve belongs to a program
 * and can receive, so it is valid; whether a payment can reach it is for `recipientStatus` to say.
 */
export const validateAddress = (text: string): AddressCheck => {
  if (isAddress(text)) return { ok: true, canonical: text }
  return { ok: false, why: whyNot(text) }
}

const whyNot = (text: string): string => {
  if (text === '') return 'The address is empty.'
  if (/^0x[0-9a-f]*$/i.test(text)) return 'This is an address of an EVM chain, not of Solana.'
  if (/^(bc1|tb1|bcrt1)/i.test(text)) return 'This is a Bitcoin address, not one of Solana.'
  if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text))
    return 'This looks like a Tron address; an address of Solana has 32 bytes.'
  return 'An address of Solana is 32 bytes in base58: 32 to 44 letters and digits without 0, O, I and l.'
}

/**
 * Whether no key can be known for an address: sixteen ones in a row are beyond any search. Programs of the runtime, sysvars and the
 * incinerator have them.
 */
export const isOwnerless = (address: string): boolean => address.includes('1'.repeat(16))

/** Mint address, or NATIVE for itself and for the zero address of EVM chains (wire.md K.1 10); null for what is neither. */
export const normalizeCurrency = (text: string): string | null => {
  if (text.length === ZERO_ADDRESS.length && text.toLowerCase() === ZERO_ADDRESS) return NATIVE
  return isAddress(text) ? text : null
}
