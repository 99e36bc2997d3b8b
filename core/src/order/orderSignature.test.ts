import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { hashMessage, recoverMessageAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../money/hex.js'
import { orderVector, orderVectors } from './fixtures/orderVectors.js'
import { bytesToHex, hexToBytes } from './hexBytes.js'
import { OrderEncodingError } from './orderEncodingError.js'
import { orderSignerAddress, recoverOrderSigner, signOrderId } from './orderSignature.js'

const keyOf = (solver: string): Hex => {
  const key = orderVectors.testPrivateKeys[solver]
  if (key === undefined) throw new Error(`No key of ${solver}`)
  return key
}

describe('signatures of the published vectors (chains.md "Solver signature")', () => {
  it.each(orderVectors.vectors)('$name', ({ order, orderId, solverSignature }) => {
    const key = keyOf(order.solver)
    expect(signOrderId(orderId, key)).toBe(solverSignature)
    expect(signOrderId(orderId, hexToBytes(key, 'key'))).toBe(solverSignature)
    expect(recoverOrderSigner(orderId, solverSignature)).toBe(order.solver)
    expect(orderSignerAddress(key)).toBe(order.solver)
  })
})

it('any key and id: the signer is recovered, here and by another library', async () => {
  const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex)
  const key = bytes32.filter((hex) => secp256k1.utils.isValidSecretKey(hexToBytes(hex, 'key')))
  await fc.assert(
    fc.asyncProperty(bytes32, key, async (orderId, privateKey) => {
      const signature = signOrderId(orderId, privateKey)
      const signer = orderSignerAddress(privateKey)
      expect(recoverOrderSigner(orderId, signature)).toBe(signer)
      const address = await recoverMessageAddress({ message: { raw: orderId }, signature })
      expect(address.toLowerCase()).toBe(signer)
    }),
    { numRuns: 20 },
  )
})

describe('F80: one canonical form of a signature', () => {
  const { order, orderId, solverSignature } = orderVector('evm-native-to-evm-native')
  const r = solverSignature.slice(2, 66)
  const s = solverSignature.slice(66, 130)
  const v = solverSignature.slice(130)
  const { n } = secp256k1.Point.CURVE()
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const otherV = v === '1b' ? '1c' : '1b'

  it('the high-s twin verifies on the curve and is refused here', async () => {
    const twin: Hex = `0x${r}${word(n - BigInt(`0x${s}`))}${otherV}`
    expect(hashMessage({ raw: orderId })).toHaveLength(66)
    expect((await recoverMessageAddress({ message: { raw: orderId }, signature: twin })).toLowerCase()).toBe(
      order.solver,
    )
    expect(() => recoverOrderSigner(orderId, twin)).toThrow('lower half')
  })

  it.each([
    ['v 0', `0x${r}${s}00`],
    ['v 1', `0x${r}${s}01`],
    ['v 26', `0x${r}${s}1a`],
    ['v 29', `0x${r}${s}1d`],
    [
      '64-byte compact form',
      `0x${r}${(BigInt(`0x${s}`) | ((v === '1c' ? 1n : 0n) << 255n)).toString(16).padStart(64, '0')}`,
    ],
    ['66 bytes', `${solverSignature}00`],
    ['empty', '0x'],
    ['no prefix', solverSignature.slice(2)],
    ['r 0', `0x${word(0n)}${s}${v}`],
    ['s 0', `0x${r}${word(0n)}${v}`],
    ['r = n', `0x${word(n)}${s}${v}`],
    ['s = n', `0x${r}${word(n)}${v}`],
    ['r not on the curve', `0x${word(5n)}${s}${v}`],
  ])('%s is refused', (_, signature) => {
    expect(() => recoverOrderSigner(orderId, signature)).toThrow(OrderEncodingError)
  })

  it('another id or the other parity gives another signer', () => {
    const otherId: Hex = `0x${'11'.repeat(32)}`
    expect(recoverOrderSigner(otherId, solverSignature)).not.toBe(order.solver)
    expect(recoverOrderSigner(orderId, `0x${r}${s}${otherV}`)).not.toBe(order.solver)
  })

  it('keys out of range and ids of another length are refused, without naming the key', () => {
    for (const key of [`0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`, '0x1234'] as const) {
      expect(() => signOrderId(orderId, key)).toThrow(OrderEncodingError)
      expect(() => signOrderId(orderId, key)).not.toThrow(key.slice(2))
    }
    expect(() => signOrderId('0x1234', keyOf(order.solver))).toThrow(OrderEncodingError)
  })
})
