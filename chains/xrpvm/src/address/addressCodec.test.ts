import { addressCodecOf } from '@causeway/core/chain'
import { expect, it } from 'vitest'
import { testAddressCodec } from './addressCodec.js'
import { xAddressOf } from './addresses.js'

const ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const codec = testAddressCodec(1)

it('addresses of a test network have the bytes of their account, in both spellings; a tag would be lost', () => {
  const bytes = addressCodecOf('xrp-vm').encode(ACCOUNT)
  expect(codec.encode(ACCOUNT)).toEqual(bytes)
  expect(codec.encode(xAddressOf(ACCOUNT, undefined, 1))).toEqual(bytes)
  expect(codec.decode(bytes)).toBe(ACCOUNT)
  expect(() => codec.encode(xAddressOf(ACCOUNT, 0, 1))).toThrow(/tag/)
  expect(() => codec.encode(xAddressOf(ACCOUNT, undefined, 0))).toThrow(/network/)
})

it('issued currencies have the bytes that they have everywhere', () => {
  const currency = `USD.${ACCOUNT}`
  expect(codec.decode(codec.encode(currency))).toBe(currency)
})
