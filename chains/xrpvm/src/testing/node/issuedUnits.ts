import { isValidClassicAddress } from 'ripple-address-codec'
import { parseValue } from '../engine/amounts/issuedValue.js'

/** Decimals of every issued currency: a value of the ledger in units of that scale is a whole number. */
export const ISSUED_DECIMALS = 15

/** Names of XRP: the chain's own, and that of no currency at all. */
const NATIVE = new Set(['rrrrrrrrrrrrrrrrrrrrrhoLvTp', `0x${'0'.repeat(40)}`])

/** Currency and issuer of `<CURRENCY>.<issuer>`; null for XRP. @throws Error for anything else */
export const issuedOf = (address: string): { readonly currency: string; readonly issuer: string } | null => {
  if (NATIVE.has(address)) return null
  const [currency = '', issuer = ''] = address.split('.')
  if (/^([^.]{3}|[0-9A-F]{40})$/.test(currency) && isValidClassicAddress(issuer)) return { currency, issuer }
  throw new Error(`${address} is no currency of this chain`)
}

/** Units as the decimal text that a transaction has. */
export const issuedValue = (units: bigint): string => {
  const digits = String(units).padStart(ISSUED_DECIMALS + 1, '0')
  const fraction = digits.slice(-ISSUED_DECIMALS).replace(/0+$/, '')
  return `${digits.slice(0, -ISSUED_DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`
}

/** A value of the ledger in units; what is smaller than one is left out. */
export const issuedUnits = (value: string): bigint => {
  const { mantissa, exponent } = parseValue(value)
  const power = exponent + ISSUED_DECIMALS
  return power >= 0 ? mantissa * 10n ** BigInt(power) : mantissa / 10n ** BigInt(-power)
}

/** The code of a currency with a symbol: itself where it has three characters, else its letters in 20 bytes. */
export const currencyCode = (symbol: string): string =>
  symbol.length === 3 && symbol !== 'XRP'
    ? symbol
    : Buffer.from(symbol, 'ascii').toString('hex').toUpperCase().padEnd(40, '0').slice(0, 40)
