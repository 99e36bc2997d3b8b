/** One unit of every issued currency is 10^15 smallest units of ours: the ledger itself has none (chains.md xrpvm 10). */
export const ISSUED_DECIMALS = 15

/** Whole smallest units as decimal text, without zeros at the end. */
export const issuedValue = (amount: bigint): string => {
  const digits = amount.toString().padStart(ISSUED_DECIMALS + 1, '0')
  const fraction = digits.slice(-ISSUED_DECIMALS).replace(/0+$/, '')
  const whole = digits.slice(0, -ISSUED_DECIMALS)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
