import type { Hex } from '../money/hex.js'
import { EvmWords, requireUint256, WORD } from './evmWords.js'
import { bytesToHex, hexDigits, hexToBytes } from './hexBytes.js'
import { OrderEncodingError } from './orderEncodingError.js'

/** A call the fill makes on the destination; `value` in the native smallest unit. */
export interface OrderCall {
  readonly to: Hex
  readonly data: Hex
  readonly value: bigint
}

/** Words: to, offset of the (bytes) tuple, value; then that tuple: offset of the bytes, their length, the bytes. */
const headWords = 5
const dataTupleOffset = 3n * BigInt(WORD)
const dataOffset = BigInt(WORD)

/**
 * One entry of an order's `calls`: ABI encoding of the tuples `(address to)`, `(bytes data)`, `(uint256 value)`
 * (chains.md evm 5).
 * @throws OrderEncodingError
 */
export function encodeOrderCall({ to, data, value }: OrderCall): Hex {
  const bytes = hexToBytes(data, 'call.data')
  const words = new EvmWords(headWords + Math.ceil(bytes.length / WORD))
    .setAddress(0, hexToBytes(to, 'call.to', 20))
    .setUint(1, dataTupleOffset)
    .setUint(2, requireUint256(value, 'call.value'))
    .setUint(3, dataOffset)
    .setUint(4, BigInt(bytes.length))
    .set(headWords, bytes)
  return bytesToHex(words.bytes)
}

/**
 * The call in an entry of `calls`. Only the encoding that `encodeOrderCall` writes is read, so that nothing hides between
 * the parts.
 * @throws OrderEncodingError
 */
export function decodeOrderCall(encoded: string): OrderCall {
  const bytes = hexToBytes(encoded, 'call')
  if (bytes.length < headWords * WORD) throw new OrderEncodingError('call: too short')
  const word = (index: number) => bytes.subarray(index * WORD, (index + 1) * WORD)
  const length = BigInt(`0x${hexDigits(word(4))}`)
  const start = headWords * WORD
  if (length > BigInt(bytes.length - start)) throw new OrderEncodingError('call: data is cut off')
  const call: OrderCall = {
    to: bytesToHex(word(0).subarray(12)),
    data: bytesToHex(bytes.subarray(start, start + Number(length))),
    value: BigInt(`0x${hexDigits(word(2))}`),
  }
  if (encodeOrderCall(call) !== encoded.toLowerCase()) throw new OrderEncodingError('call: not the standard encoding')
  return call
}
