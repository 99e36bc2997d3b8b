import { ServiceError } from '@causeway/core'
import type { AddressCheck, ChainMoney } from '@causeway/core/chain'
import { decodeBase58, encodeBase58 } from './base58check.js'

/** Decimal places of TRX; the smallest unit is a sun. */
export const TRX_DECIMALS = 6

/** Marker of the native currency: the address of 20 zero bytes (chains.md tvm 1). */
export const NATIVE = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'

/** Largest amount of a token: contracts count in words of 256 bits. */
export const MAX_AMOUNT = 2n ** 256n - 1n

/** Largest amount of TRX in one payment: the protocol library counts in numbers below 2^53. */
export const MAX_SUN = 2n ** 53n - 1n

/** An amount of TRX as nodes and the protocol library take it. @throws ServiceError INVALID_REQUEST for one that a number would round */
export const sunNumber = (sun: bigint): number => {
  if (sun >= 0n && sun <= MAX_SUN) return Number(sun)
  throw new ServiceError('INVALID_REQUEST', 'Tron cannot pay this amount in one transaction.')
}

/** Named as user or recipient while no wallet is connected (wire.md 0.5). */
export const PLACEHOLDERS: readonly string[] = ['THa7BwoPfacfiELa63pbmm3g5PGKYmtJyt']

const HEX = /^41[0-9a-fA-F]{40}$/
const ZERO = /^0x0{40}$/

/** Canonical form of an account: base58check. The hex form `41…` is read too (chains.md tvm 1). */
export const validateAddress = (text: string): AddressCheck => {
  if (HEX.test(text)) return { ok: true, canonical: encodeBase58(text.toLowerCase()) }
  const read = decodeBase58(text)
  if (read === 'checksum') return { ok: false, why: 'The checksum is wrong: the address has a typing error.' }
  return read === 'form' ? { ok: false, why: whyNot(text) } : { ok: true, canonical: text }
}

const whyNot = (text: string): string => {
  if (text === '') return 'The address is empty.'
  if (/^0x[0-9a-fA-F]{40}$/.test(text))
    return 'This is an address of an EVM chain. Enter the Tron address, which begins with T.'
  if (/^t[1-9a-z]{33}$/.test(text)) return 'The address has lost its capital letters. Copy it again.'
  return 'A Tron address is T and 33 more letters and digits.'
}

/** Canonical id of a currency; NATIVE also for the zero address of EVM chains (wire.md K.1 10); null for other text. */
export const normalizeCurrency = (text: string): string | null => {
  if (ZERO.test(text)) return NATIVE
  const read = validateAddress(text)
  return read.ok ? read.canonical : null
}

/** Largest amount that one payment carries. */
export const payable = ({ currency, amount }: ChainMoney): bigint =>
  currency === NATIVE && amount > MAX_SUN ? MAX_SUN : amount

/** Hex of 21 bytes, `41` first, of a canonical address. @throws Error for another text: a programming error */
export const hexOf = (address: string): string => {
  const read = decodeBase58(address)
  if (typeof read === 'string') throw new Error('The address is not canonical.')
  return read.hex
}

/** The 20 bytes that contracts see, as 40 hex digits. */
export const accountOf = (address: string): string => hexOf(address).slice(2)

/** Address of the last 20 bytes of a hex text: of a word, of an address of a log, or of a hex address. */
export const addressOf = (hex: string): string => encodeBase58(`41${hex.slice(-40).toLowerCase()}`)
