import { isAccount, NATIVE } from './addresses.js'

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'
/** Three of the letters that the ledger allows in a standard code. */
const STANDARD = /^[A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}$/
const HEX = /^[0-9A-F]{40}$/
/** Twelve zero bytes, the three letters, five zero bytes. */
const STANDARD_HEX = /^0{24}([0-9A-F]{6})0{10}$/

/** An issued currency taken apart. */
export interface IssuedCurrency {
  /** Three letters, or 40 hex digits in capitals. */
  readonly code: string
  /** Account in its classic form. */
  readonly issuer: string
}

/** Whether a normalised currency is XRP itself. */
export const isNative = (currency: string): boolean => currency === NATIVE

/** The one spelling of a currency's code, null for what is none: `XRP` is no code of an issued currency (chains.md xrpvm 10). */
export const normalizeCode = (text: string): string | null => {
  if (STANDARD.test(text)) return text === 'XRP' ? null : text
  const hex = text.toUpperCase()
  if (!HEX.test(hex)) return null
  const [, letters] = STANDARD_HEX.exec(hex) ?? []
  if (letters !== undefined) {
    const code = Buffer.from(letters, 'hex').toString('latin1')
    if (STANDARD.test(code)) return code === 'XRP' ? null : code
  }
  // The ledger keeps these for standard codes, and for XRP.
  return hex.startsWith('00') ? null : hex
}

/** `<CURRENCY>.<issuer>` taken apart and normalised, null for what is none. No code of three letters has a dot in it. */
export const parseIssued = (text: string): IssuedCurrency | null => {
  const at = text.indexOf('.')
  if (at < 0) return null
  const [code, issuer] = [normalizeCode(text.slice(0, at)), text.slice(at + 1)]
  return code === null || issuer === NATIVE || !isAccount(issuer) ? null : { code, issuer }
}

/** The text of an issued currency, which is how it is stored and compared. */
export const issuedText = ({ code, issuer }: IssuedCurrency): string => `${code}.${issuer}`

/** NATIVE for itself and for the zero address of EVM chains (wire.md K.1 10), `<CURRENCY>.<issuer>`; null for what is neither. */
export const normalizeCurrency = (text: string): string | null => {
  if (text === NATIVE) return NATIVE
  if (text.length === ZERO_ADDRESS.length && text.toLowerCase() === ZERO_ADDRESS) return NATIVE
  const issued = parseIssued(text)
  return issued && issuedText(issued)
}

/**
 * Symbol of a currency: its letters, or of 40 hex digits the text that they spell, as wallets show it; the digits where they spell no
 * text.
 */
export const symbolOf = (code: string): string => {
  if (!HEX.test(code)) return code
  const spelt = Buffer.from(code.replace(/(?:00)+$/, ''), 'hex').toString('latin1')
  return /^[!-~]{1,20}$/.test(spelt) ? spelt : code
}
