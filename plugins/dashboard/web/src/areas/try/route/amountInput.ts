/** What was wrong with an amount that somebody wrote. */
export type AmountProblem = 'wrong' | 'too fine'

const WRITTEN = /^(\d{1,40})(?:[.,](\d{0,40}))?$/

/** A written amount in smallest units, exactly; nothing is rounded. */
export const readAmount = (text: string, decimals: number): bigint | AmountProblem => {
  const match = WRITTEN.exec(text.trim())
  if (match === null) return 'wrong'
  const [, whole = '0', rest = ''] = match
  const digits = rest.replace(/0+$/, '')
  if (digits.length > decimals) return 'too fine'
  const amount = BigInt(whole + digits.padEnd(decimals, '0'))
  return amount === 0n ? 'wrong' : amount
}
