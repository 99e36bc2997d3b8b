import fc from 'fast-check'
import { encodeAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { orderVector } from './fixtures/orderVectors.js'
import { bytesToHex } from './hexBytes.js'
import { decodeOrderCall, encodeOrderCall, type OrderCall } from './orderCall.js'
import { OrderEncodingError } from './orderEncodingError.js'
import { fillContractOf, orderExtraData } from './orderExtraData.js'

const { order } = orderVector('evm-erc20-with-call-and-fee')
const [encoded = ''] = order.output.calls
const call: OrderCall = { to: '0x932ef3ef46af5cbac0ba9730126033ffd7b374e7', data: '0x12345678', value: 7n }

const tuple = (name: string, type: string) => ({ type: 'tuple', components: [{ name, type }] }) as const

describe('order calls (chains.md evm 5)', () => {
  it('equal the published vector', () => {
    expect(encodeOrderCall(call)).toBe(encoded)
    expect(decodeOrderCall(encoded)).toEqual(call)
  })

  it('equal the ABI encoding of another library and decode to themselves', () => {
    const arbitraryCall = fc.record({
      to: fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytesToHex),
      data: fc.uint8Array({ maxLength: 100 }).map(bytesToHex),
      value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    })
    fc.assert(
      fc.property(arbitraryCall, ({ to, data, value }) => {
        const ours = encodeOrderCall({ to, data, value })
        const parameters = [tuple('to', 'address'), tuple('data', 'bytes'), tuple('value', 'uint256')]
        expect(ours).toBe(encodeAbiParameters(parameters, [{ to }, { data }, { value }]))
        expect(decodeOrderCall(ours)).toEqual({ to, data, value })
      }),
    )
  })

  it.each([
    ['truncated', encoded.slice(0, -64)],
    ['trailing word', encoded + '0'.repeat(64)],
    ['dirty address', encoded.replace('0x00', '0x01')],
    ['dirty padding', `${encoded.slice(0, -1)}1`],
    ['other offset', encoded.replace(`${'0'.repeat(62)}60`, `${'0'.repeat(62)}80`)],
    ['endless length', encoded.replace(`${'0'.repeat(63)}4${'12345678'}`, `${'f'.repeat(64)}12345678`)],
    ['empty', '0x'],
  ])('%s is refused', (_, text) => {
    expect(text).not.toBe(encoded)
    expect(() => decodeOrderCall(text)).toThrow(OrderEncodingError)
  })

  it('values outside uint256 and addresses of another length are refused', () => {
    expect(() => encodeOrderCall({ ...call, value: -1n })).toThrow(OrderEncodingError)
    expect(() => encodeOrderCall({ ...call, value: 2n ** 256n })).toThrow(OrderEncodingError)
    expect(() => encodeOrderCall({ ...call, to: '0x12' })).toThrow(OrderEncodingError)
  })
})

describe('extraData (chains.md evm 5)', () => {
  it('is the fill contract as one word, as in the published vectors', () => {
    expect(orderExtraData('0xB92FE925DC43A0ECDE6C8B1A2709C170EC4FFF4F')).toBe(order.output.extraData)
    expect(fillContractOf(order.output.extraData)).toBe('0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f')
    expect(fillContractOf('0x')).toBeNull()
  })

  it.each(['0x00', `0x01${order.output.extraData.slice(4)}`, `${order.output.extraData}00`])(
    '%s is refused',
    (text) => {
      expect(() => fillContractOf(text)).toThrow(OrderEncodingError)
    },
  )
})
