import type { Hex } from '@causeway/core'
import { toFunctionSelector } from 'viem/utils'

const WORD_DIGITS = 64
const LIMIT = 2n ** 256n

const word = (value: bigint | string): string => {
  if (typeof value === 'string') return value.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')
  if (value < 0n || value >= LIMIT) throw new RangeError('A number of a call does not fit 256 bits.')
  return value.toString(16).padStart(WORD_DIGITS, '0')
}

/** Values of one word each, as the ABI encodes them. */
export const words = (...values: readonly (bigint | string)[]): Hex => `0x${values.map(word).join('')}`

/**
 * Encoder of a function whose arguments each take one word: addresses, `uint256`, `bytes32`. Its selector is hashed once, where a
 * general encoder hashes it at every call; quotes encode several. Hex text is padded on the left; numbers that do not fit throw
 * RangeError.
 */
export const staticCall = (signature: string): ((...values: readonly (bigint | string)[]) => Hex) => {
  const selector = toFunctionSelector(signature)
  const count = signature.split(',').length
  return (...values) => {
    if (values.length !== count) throw new RangeError(`${signature} takes ${count} values.`)
    return `${selector}${values.map(word).join('')}`
  }
}

export const encodeTransfer = staticCall('transfer(address,uint256)')
export const encodeApprove = staticCall('approve(address,uint256)')
export const encodeAllowance = staticCall('allowance(address,address)')
export const encodeBalanceOf = staticCall('balanceOf(address)')
export const encodeDepositNative = staticCall('depositNative(address,bytes32)')
export const encodeDepositErc20 = staticCall('depositErc20(address,address,uint256,bytes32)')
