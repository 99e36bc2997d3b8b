import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { orderVector, orderVectors } from './fixtures/orderVectors.js'
import { OrderSchema } from './order.js'

const isOrder = new Ajv().compile(OrderSchema)

describe('OrderSchema (wire.md 1.7)', () => {
  it.each(orderVectors.vectors)('takes the published order $name', ({ order }) => {
    expect(isOrder(order)).toBe(true)
  })

  const { order } = orderVector('evm-native-to-evm-native')
  it.each([
    ['another version', { ...order, version: 'v2' }],
    ['a field that the id would not cover', { ...order, note: 'x' }],
    ['the same in a nested part', { ...order, output: { ...order.output, gas: '1' } }],
    ['a number where text belongs', { ...order, salt: 5 }],
    ['a missing part', { ...order, fees: undefined }],
    ['a fractional deadline', { ...order, output: { ...order.output, deadline: 1.5 } }],
    ['odd hex', { ...order, output: { ...order.output, extraData: '0x1' } }],
    ['a numeric chain', { ...order, output: { ...order.output, chainId: 8453 } }],
  ])('refuses %s', (_, value) => {
    expect(isOrder(value)).toBe(false)
  })
})
