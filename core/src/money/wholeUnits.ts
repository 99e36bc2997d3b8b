import { powerOfTen } from './rounding.js'

const WHOLE_UNITS = /^(0|[1-9][0-9]{0,40})(?:\.([0-9]{1,36}))?$/

/**
 * Amount in the smallest unit of what a person writes in whole units, such as `25000` or `0.5`; null when the text is no such
 * number or is finer than `decimals`. The reverse of `formatAmount`.
 */
export const parseWholeUnits = (text: string, decimals: number): bigint | null => {
  const [, whole, fraction = ''] = WHOLE_UNITS.exec(text) ?? []
  if (whole === undefined || fraction.replace(/0+$/, '').length > decimals) return null
  return BigInt(whole) * powerOfTen(decimals) + BigInt(fraction.slice(0, decimals).padEnd(decimals, '0') || '0')
}
