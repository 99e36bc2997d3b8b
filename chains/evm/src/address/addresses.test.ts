import { expect, test } from 'vitest'
import { isOwnerless, validateAddress } from './addresses.js'

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

test.each([
  ['mixed case with its checksum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', true],
  ['lower case', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', true],
  ['capitals, which hold no checksum (EIP-55)', '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', true],
  ['one letter in the other case', '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAEd', false],
  ['capitals of a wrong length', '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAE', false],
  ['a prefix in capitals', '0X5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', false],
])('an address in %s: %s', (_what, text, valid) => {
  const check = validateAddress(text)
  expect(check.ok && check.canonical).toBe(valid && '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')
})
