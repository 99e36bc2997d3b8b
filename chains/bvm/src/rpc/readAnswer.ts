import { strangeAnswer } from '@causeway/core/chain-kit'
import { type AmountError, satoshisOfBitcoins } from '../address/satoshis.js'

/** Readers of what nodes answer. Each throws ServiceError RPC_HTTP_ERROR when the answer is not what it must be. */

export const field = (value: unknown, name: string): unknown => {
  if (typeof value !== 'object' || value === null) throw strangeAnswer(`no object that holds ${name}`)
  return Reflect.get(value, name)
}

export const listOf = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw strangeAnswer('no list')
  return value
}

/** A block's or a transaction's hash. */
export const hashOf = (value: unknown): string => {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) throw strangeAnswer('no hash')
  return value
}

export const hexBytes = (value: unknown): Uint8Array => {
  if (typeof value !== 'string' || value.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(value)) throw strangeAnswer('no hex')
  return Uint8Array.from(Buffer.from(value, 'hex'))
}

export const wholeOf = (value: unknown): number => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw strangeAnswer('no whole number')
  return value
}

/** Satoshis that a node wrote as a whole number. */
export const satoshisOf = (value: unknown): bigint => BigInt(wholeOf(value))

/** Satoshis that a node wrote as bitcoins: the text of the number, or a number without a point. */
export const bitcoinsOf = (value: unknown): bigint => {
  if (typeof value !== 'string' && typeof value !== 'number') throw strangeAnswer('no amount')
  try {
    return satoshisOfBitcoins(`${value}`)
  } catch (error) {
    // CAST: the only error that reading an amount throws.
    throw strangeAnswer((error as AmountError).message)
  }
}

/** A block, or none, that is where it was asked for. */
export const atHeight = <Block extends { readonly height: bigint }>(
  block: Block | null,
  height: bigint,
): Block | null => {
  if (block !== null && block.height !== height) throw strangeAnswer('a block of another height')
  return block
}
