import { numberAt, selectorOf, WORD } from '../address/abi.js'

const ERROR_TEXT = '08c379a0'
const PANIC = '4e487b71'

/** Errors of the depository (chains.md, depository contract). */
const ERRORS = new Map(
  [
    ...['AddressCannotBeZero()', 'InvalidSignature()', 'CallRequestExpired()', 'CallRequestAlreadyUsed()'],
    ...['CallFailed(bytes)', 'TransferFromFailed()', 'Reentrancy()'],
  ].map((signature) => [selectorOf(signature), signature.slice(0, signature.indexOf('('))]),
)

/** Text of revert data; null for data that no known error has. */
export const revertText = (data: string): string | null => {
  const [selector, args] = [data.slice(0, 8), data.slice(8)]
  if (selector === ERROR_TEXT) {
    const length = Math.min(Number(numberAt(args, 1)), 200)
    const text = Buffer.from(args.slice(2 * WORD, 2 * WORD + 2 * length), 'hex').toString('utf8')
    return text.replace(/[^\x20-\x7e]+/g, ' ').trim() || 'no reason'
  }
  if (selector === PANIC) return `Panic(${numberAt(args, 0)})`
  return ERRORS.get(selector) ?? null
}
