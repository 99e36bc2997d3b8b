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
