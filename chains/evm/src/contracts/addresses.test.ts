import { expect, test } from 'vitest'
import { isOwnerless } from './addresses.js'

test.each([
  ['the native marker', `0x${'0'.repeat(40)}`, true],
  ['a precompile', `0x${'1'.padStart(40, '0')}`, true],
  ['a precompile of two bytes', `0x${'100'.padStart(40, '0')}`, true],
  ['a system contract', `0x${'800a'.padStart(40, '0')}`, true],
  ['the marker of native currency elsewhere', `0x${'e'.repeat(40)}`, true],
  ['the last address', `0x${'f'.repeat(40)}`, true],
  ['a wallet with zeros in front', '0x000000000000d9ecebf3c23529de49815dac1c4c', false],
  ['a usual wallet', '0xde0b295669a9fd93d5f28d9ec85e40f4cb697bae', false],
])('%s: ownerless is %s', (_what, address, ownerless) => {
  expect(isOwnerless(address)).toBe(ownerless)
})
