/** One unit of every issued currency is 10^15 smallest units of ours: the ledger itself has none (chains.md xrpvm 10). */
export const ISSUED_DECIMALS = 15

/** Whole smallest units as decimal text, without zeros at the end. */
export const issuedValue = (amount: bigint): string => {
  const digits = amount.toString().padStart(ISSUED_DECIMALS + 1, '0')
  const fraction = digits.slice(-ISSUED_DECIMALS).replace(/0+$/, '')
  const whole = digits.slice(0, -ISSUED_DECIMALS)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** How a code stands in requests and transactions: codes of letters that serialisers do not all know go as bytes. */
export const codeJson = (code: string): string => (/[<>]/.test(code) ? bytesOf(code) : code)

/** Twelve zero bytes, the three letters, five zero bytes. */
const bytesOf = (code: string): string =>
  [...code]
    .map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()
    .padStart(30, '0')
    .padEnd(40, '0')
