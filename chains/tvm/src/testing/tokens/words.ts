import { addressWord, bytesWords, wordOf } from '../../address/abi.js'

/** Arguments of a contract in the ABI of Solidity, in hex: numbers, addresses (`T…`), words (`0x` and 64 digits) and texts. */
export const words = (...values: readonly (bigint | number | string)[]): string => {
  let tail = ''
  const head = values.map((value) => {
    if (typeof value !== 'string') return wordOf(BigInt(value))
    if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(value)) return addressWord(value)
    if (/^0x[0-9a-f]{64}$/i.test(value)) return value.slice(2)
    const at = values.length * 32 + tail.length / 2
    tail += bytesWords(Buffer.from(value).toString('hex'))
    return wordOf(BigInt(at))
  })
  return head.join('') + tail
}
