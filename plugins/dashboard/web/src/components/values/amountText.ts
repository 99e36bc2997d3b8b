const SHOWN_DIGITS = 6

/** Whole units of an amount in smallest units, exactly: no digit is lost, none is made up. */
export const exactText = (amount: bigint, decimals: number): string => {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${sign}${grouped(whole)}${rest === '' ? '' : `.${rest}`}`
}

/** The pieces of an exact amount between which a line may break: after each comma, and every three decimal places. */
export const amountPieces = (exact: string): readonly string[] => {
  const [whole = '', rest = ''] = exact.split('.')
  const places = (rest.match(/\d{1,3}/g) ?? []).map((piece, at) => (at === 0 ? `.${piece}` : piece))
  return [...(whole.match(/[^,]+,?/g) ?? []), ...places]
}

const grouped = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ',')

/** The same, cut (never rounded up) to the digits that people read; `≈` says that something was cut. */
export const shortText = (amount: bigint, decimals: number): string => {
  const exact = exactText(amount, decimals)
  const [whole = '0', rest = ''] = exact.split('.')
  const known = whole.replace(/\D/g, '').replace(/^0+/, '').length
  const leading = known === 0 ? (/^0*/.exec(rest)?.[0].length ?? 0) : 0
  const kept = rest.slice(0, Math.max(2, SHOWN_DIGITS - known) + leading)
  if (kept.length >= rest.length) return exact
  const trimmed = kept.replace(/0+$/, '')
  return `≈ ${whole}${trimmed === '' ? '' : `.${trimmed}`}`
}

/** Dollars as a decimal text of the API, with cents; the API's text where it is no number. */
export const usdText = (usd: string): string => {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(usd)
  if (match === null) return usd
  const [, sign = '', whole = '0', rest = ''] = match
  return `${sign}$${grouped(whole)}.${rest.padEnd(2, '0').slice(0, 2)}`
}
