import { guardJson } from '../../http/request/jsonGuard.js'
import { powerOfTen } from '../rounding.js'
import { USD_DECIMALS, type Usd } from '../usd.js'

/** Texts first, so that digits inside them are left alone; of valid JSON, what else begins so is a number. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*/g

/**
 * JSON whose numbers come out as their own text, so that no digit of a price passes through a floating point number.
 * Throws for what is no JSON, gives a key twice or nests deeply.
 */
export const parseExactJson = (text: string): unknown => {
  JSON.parse(text)
  guardJson(text)
  return JSON.parse(text.replace(TEXT_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)))
}

/** Own member of a JSON object; undefined where there is none, or no object. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

const DECIMAL = /^([0-9]{1,60})(?:\.([0-9]{1,400}))?(?:[eE]([+-]?[0-9]{1,3}))?$/

/** Nothing costs more per whole unit; a price above it is a fault of the source. */
const MOST: Usd = powerOfTen(USD_DECIMALS + 15)
/** Below it eighteen decimals would cut the price by more than a ten-thousandth. */
const LEAST: Usd = powerOfTen(4)

/**
 * Price from the decimal text of a source, such as `2000.5` or `1e-7`; further digits than eighteen decimals are cut. Zero,
 * which nobody can use, for anything that is no positive price: signs, `NaN`, zero, other types, the absurdly large or small.
 */
export const readPrice = (text: unknown): Usd => {
  const [, whole, fraction = '', exponent = '0'] = (typeof text === 'string' ? DECIMAL.exec(text) : null) ?? []
  if (whole === undefined) return 0n
  const digits = BigInt(whole + fraction)
  const scale = USD_DECIMALS + Number(exponent) - fraction.length
  const usd = scale >= 0 ? digits * powerOfTen(scale) : digits / powerOfTen(-scale)
  return usablePrice(usd)
}

/** The price, or zero where it is too large to be true or too small to be exact. */
export const usablePrice = (usd: Usd): Usd => (usd >= LEAST && usd <= MOST ? usd : 0n)

/** Unix milliseconds from the text of whole Unix seconds; null for anything else. */
export const readUnixSeconds = (text: unknown): number | null =>
  typeof text === 'string' && /^[1-9][0-9]{0,10}$/.test(text) ? Number(text) * 1000 : null
