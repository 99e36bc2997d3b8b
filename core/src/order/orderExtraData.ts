import type { Hex } from '../money/hex.js'
import { EvmWords, WORD } from './evmWords.js'
import { bytesToHex, hexToBytes } from './hexBytes.js'
import { OrderEncodingError } from './orderEncodingError.js'

const addressOffset = 12

/**
 * `extraData` of an order's refund or output: the fill contract as one ABI word (chains.md evm 5). On Tron the contract is
 * given by its 20 bytes without `0x41`.
 * @throws OrderEncodingError
 */
export function orderExtraData(fillContract: string): Hex {
  return bytesToHex(new EvmWords(1).setAddress(0, hexToBytes(fillContract, 'fill contract', 20)).bytes)
}

/** The fill contract in an `extraData`, lower case; null when it is empty. @throws OrderEncodingError */
export function fillContractOf(extraData: string): Hex | null {
  if (extraData === '0x') return null
  const word = hexToBytes(extraData, 'extraData', WORD)
  if (word.subarray(0, addressOffset).some((byte) => byte !== 0))
    throw new OrderEncodingError('extraData: not an address')
  return bytesToHex(word.subarray(addressOffset))
}
