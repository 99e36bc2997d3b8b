import { hexAddress } from '../wire/addresses.js'

const word = (value: bigint): string => value.toString(16).padStart(64, '0')

/** Word of an address in either spelling. */
export const addressWord = (address: string): string => hexAddress(address).slice(2).padStart(64, '0')

const textTail = (text: string): string => {
  const bytes = Buffer.from(text)
  return word(BigInt(bytes.length)) + bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0')
}

/** Arguments of a contract in the ABI of Solidity, in hex: numbers, addresses (`T…`), words (`0x` and 64 digits) and texts. */
export const words = (...values: readonly (bigint | number | string)[]): string => {
  let tail = ''
  const head = values.map((value) => {
    if (typeof value !== 'string') return word(BigInt(value))
    if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(value)) return addressWord(value)
    if (/^0x[0-9a-f]{64}$/i.test(value)) return value.slice(2)
    const at = values.length * 32 + tail.length / 2
    tail += textTail(value)
    return word(BigInt(at))
  })
  return head.join('') + tail
}
