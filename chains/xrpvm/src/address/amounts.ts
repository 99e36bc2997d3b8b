import { ServiceError, smaller } from '@causeway/core'
import { memberOf } from '../rpc/fields.js'
import { NATIVE } from './addresses.js'
import { isNative, issuedText, normalizeCode, parseIssued } from './currencies.js'
import { codeJson, ISSUED_DECIMALS, issuedValue } from './issuedValue.js'

/** Decimals of XRP: its smallest unit is the drop. */
export const DROPS_DECIMALS = 6
/** All the drops that ever were. */
export const MAX_DROPS = 10n ** 17n
/** Largest amount of an issued currency that is shown or paid, 256 bits. The ledger's own amounts go beyond. */
export const MAX_AMOUNT = 2n ** 256n - 1n

/** Significant digits that an amount of an issued currency has on the ledger. */
const LEDGER_DIGITS = 16
/** Those that a payment of ours has, so that the ledger's own rounding never makes it less. */
const PAYABLE_DIGITS = 15
/** Beyond the ledger's largest exponent, 80, so that no text makes a number of any length. */
const MAX_EXPONENT = 100

const ISSUED_VALUE = /^(-?)(\d{1,120})(?:\.(\d{1,120}))?(?:e([+-]?\d{1,3}))?$/i

/** Drops as text, or an amount of an issued currency, as the ledger writes them. */
export type LedgerAmount = string | { readonly currency: string; readonly issuer: string; readonly value: string }

/** How many digits of a number say something: of 1200 it is two. */
const significantDigits = (amount: bigint): number => amount.toString().replace(/0+$/, '').length

/**
 * The value of an issued currency as decimal text, in units of 10^-15, what is less cut off: toward zero, also below it. Null for text
 * that is no number of the ledger. May be more than `MAX_AMOUNT`.
 */
export const parseIssuedValue = (text: string): bigint | null => {
  const [all, sign, whole = '', fraction = '', exponent = '0'] = ISSUED_VALUE.exec(text) ?? []
  if (all === undefined || Math.abs(Number(exponent)) > MAX_EXPONENT) return null
  const digits = BigInt(whole + fraction)
  const shift = Number(exponent) - fraction.length + ISSUED_DECIMALS
  const size = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  return sign === '-' ? -size : size
}

/**
 * Money that the ledger shows, in the smallest unit, what is less cut off, and never more than `MAX_AMOUNT`; below zero for what is
 * owed. Null for what is neither XRP nor an issued currency, such as a token without trust lines.
 */
export const readAmount = (json: unknown): { readonly currency: string; readonly amount: bigint } | null => {
  if (typeof json === 'string') return /^\d{1,18}$/.test(json) ? { currency: NATIVE, amount: BigInt(json) } : null
  const [code, issuer, value] = ['currency', 'issuer', 'value'].map((name) => memberOf(json, name))
  if (typeof code !== 'string' || typeof issuer !== 'string' || typeof value !== 'string') return null
  const [normal, amount] = [normalizeCode(code), parseIssuedValue(value)]
  const issued = normal === null ? null : parseIssued(issuedText({ code: normal, issuer }))
  if (issued === null || amount === null) return null
  return { currency: issuedText(issued), amount: smaller(amount, MAX_AMOUNT) }
}

/**
 * An amount as transactions have it, exactly.
 * @throws ServiceError UNSUPPORTED_CURRENCY, or INVALID_REQUEST for an amount that the ledger cannot write to the last digit
 */
export const amountJson = (currency: string, amount: bigint): LedgerAmount => {
  if (amount < 0n || amount > maxAmountOf(currency)) throw unwritable('is not one that the XRP Ledger knows')
  if (isNative(currency)) return amount.toString()
  const issued = parseIssued(currency)
  if (issued === null) {
    const message = 'The currency must be "<CURRENCY>.<issuer>", or XRP.'
    throw new ServiceError('UNSUPPORTED_CURRENCY', message)
  }
  if (significantDigits(amount) > LEDGER_DIGITS)
    throw unwritable(`has more than ${LEDGER_DIGITS} significant digits, which the XRP Ledger cannot hold`)
  return { currency: codeJson(issued.code), issuer: issued.issuer, value: issuedValue(amount) }
}

const unwritable = (why: string): ServiceError => new ServiceError('INVALID_REQUEST', `The amount ${why}.`)

/** Largest amount of a currency, smallest unit. */
export const maxAmountOf = (currency: string): bigint => (isNative(currency) ? MAX_DROPS : MAX_AMOUNT)

/**
 * The largest amount not above one that a payment can bring to the last digit: drops always, of an issued currency 15 significant
 * digits. 0 stays 0; never more than `maxAmountOf`.
 */
export const payableAmount = (currency: string, amount: bigint): bigint => {
  const most = smaller(amount, maxAmountOf(currency))
  const surplus = most.toString().length - PAYABLE_DIGITS
  if (isNative(currency) || surplus <= 0) return most
  const step = 10n ** BigInt(surplus)
  return most - (most % step)
}

/** The least amount not below one that a payment can name to the last digit: what may be spent at most, for example. */
export const payableAbove = (currency: string, amount: bigint): bigint => {
  const below = payableAmount(currency, amount)
  if (below >= amount || isNative(currency)) return below
  const step = 10n ** BigInt(below.toString().length - PAYABLE_DIGITS)
  return below + step
}
