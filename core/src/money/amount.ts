const AMOUNT = /^(0|[1-9][0-9]{0,77})$/

/**
 * Amount in the smallest unit from its wire text, or null when the text is anything but plain digits without a leading
 * zero, at most 78 of them (faults.md F75).
 */
export const parseAmount = (text: unknown): bigint | null =>
  typeof text === 'string' && AMOUNT.test(text) ? BigInt(text) : null

/**
 * `amount` divided by 10^`decimals` as wire text: no exponent, no thousands separator, no trailing zeros but at least
 * one fraction digit: `"100.0"`, `"0.1"`, `"-99.9509"` (wire.md 0.3, H.2).
 */
export const formatAmount = (amount: bigint, decimals: number): string => {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  let end = digits.length
  while (end > point && digits.charCodeAt(end - 1) === 48) end--
  return `${sign}${digits.slice(0, point)}.${end === point ? '0' : digits.slice(point, end)}`
}
