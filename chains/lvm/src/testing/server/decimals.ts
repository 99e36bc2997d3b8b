/** Decimal text of an amount in the smallest unit. */
export const decimalText = (amount: bigint, decimals: number): string => {
  const digits = `${amount}`.padStart(decimals + 1, '0')
  return `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`
}
