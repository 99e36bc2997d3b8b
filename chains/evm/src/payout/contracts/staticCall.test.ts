import { depositoryAbi } from '@causeway/contracts-abi'
import fc from 'fast-check'
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { erc20Abi } from './abis.js'
import {
  encodeAllowance,
  encodeBalanceOf,
  encodeDepositErc20,
  encodeDepositNative,
  encodeTransfer,
} from './staticCall.js'

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value): Hex => `0x${Buffer.from(value).toString('hex')}`)
const address = hex(20)
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

it('calls are encoded byte for byte as a general ABI encoder does, whatever the case of an address', () => {
  fc.assert(
    fc.property(address, address, amount, hex(32), (left, right, value, id) => {
      const a: Address = left
      const b = getAddress(right)
      const erc20 = (functionName: 'transfer', args: [Address, bigint]) =>
        encodeFunctionData({ abi: erc20Abi, functionName, args })
      expect(encodeTransfer(b, value)).toBe(erc20('transfer', [b, value]))
      expect(encodeAllowance(a, b)).toBe(encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [a, b] }))
      expect(encodeBalanceOf(a)).toBe(encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [a] }))
      const native = { abi: depositoryAbi, functionName: 'depositNative', args: [b, id] } as const
      expect(encodeDepositNative(b, id)).toBe(encodeFunctionData(native))
      const token = { abi: depositoryAbi, functionName: 'depositErc20', args: [a, b, value, id] } as const
      expect(encodeDepositErc20(a, b, value, id)).toBe(encodeFunctionData(token))
    }),
  )
})

it('a number that does not fit, or a missing value, is refused', () => {
  expect(() => encodeTransfer('0x00', 2n ** 256n)).toThrow(RangeError)
  expect(() => encodeTransfer('0x00', -1n)).toThrow(RangeError)
  expect(() => encodeTransfer('0x00')).toThrow(RangeError)
})
