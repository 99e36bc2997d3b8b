import { readFileSync } from 'node:fs'
import { compressPublicKey, publicKeyOf } from '@causeway/core/chain'
import { evmAddressOfKey } from '@causeway/core/chain-kit'
import { describe, expect, it } from 'vitest'
import { NATIVE, normalizeCurrency, validateAddress } from './addresses.js'
import { checksumOf } from './checksum.js'

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'))
// CAST: what the fixtures hold.
const checksums = fixture('hip15Checksums.json') as Readonly<Record<string, readonly string[]>>
// CAST: as above.
const ids = fixture('ids.json') as { readonly accounts: { readonly invalid: readonly string[] } }

const MAINNET = '00'
const ALIAS = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const MIXED = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

describe('the checksum of an account (HIP-15)', () => {
  it.each([
    ['00', checksums['ledger 0x00 (mainnet)']],
    ['a1ff01', checksums['ledger 0xa1ff01']],
  ])('is that of the ledger id %s', (ledgerId, texts) => {
    for (const text of texts ?? []) {
      const [entity = '', checksum] = text.split('-')
      expect(checksumOf(entity, ledgerId)).toBe(checksum)
    }
  })

  it('is verified, then stripped', () => {
    expect(validateAddress('0.0.123-vfmkw', MAINNET)).toEqual({ ok: true, canonical: '0.0.123' })
    for (const [text, ledgerId] of [
      ['0.0.123-vfmkx', MAINNET],
      ['0.0.124-vfmkw', MAINNET],
      // The checksum is that of another network.
      ['0.0.123-pzmtv', MAINNET],
      ['0.0.123-vfmkw', 'a1ff01'],
      ['0.0.123-vfmkw', null],
    ] as const)
      expect(validateAddress(text, ledgerId).ok, text).toBe(false)
  })
})

describe('an account', () => {
  it.each([
    ['0.0.1234', '0.0.1234'],
    [ALIAS, ALIAS],
    [MIXED, ALIAS],
    [ALIAS.toUpperCase().replace('0X', '0x'), ALIAS],
    [`0.0.${ALIAS.slice(2)}`, ALIAS],
    // The long-zero form of a number is the same account.
    [`0x${(1234).toString(16).padStart(40, '0')}`, '0.0.1234'],
    [`0.0.${(1234).toString(16).padStart(40, '0')}`, '0.0.1234'],
    [`0x${'0'.repeat(40)}`, NATIVE],
    ['0.0.9223372036854775807', '0.0.9223372036854775807'],
  ])('%s is %s', (text, canonical) => {
    expect(validateAddress(text, MAINNET)).toEqual({ ok: true, canonical })
  })

  it.each([
    ['of another shard', '1.0.1234'],
    ['of another realm', '0.1.1234'],
    ['with leading zeros', '0.0.0123'],
    ['beyond 64 bits', '0.0.9223372036854775808'],
    ['beyond 64 bits in the long-zero form', `0x${(2n ** 63n).toString(16).padStart(40, '0')}`],
    ['with a typing error in its capitals', MIXED.replace('dA', 'da')],
    ['without its prefix', ALIAS.slice(2)],
    [
      'that is a public key',
      '302a300506032b657003210008d5a4eebdb9b8451b64d8ad1ff502b493590e513e5e9c9f810dd3258f298542',
    ],
    ['that is a number alone', '1234'],
    ['with a space', ' 0.0.1234'],
    ['of Tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
    ...ids.accounts.invalid.map((text) => ['of the list of the SDK', text]),
  ])('%s is refused', (_, text = '') => {
    const check = validateAddress(text, MAINNET)
    expect(check.ok).toBe(false)
    if (!check.ok) expect(check.why).toMatch(/^[A-Z].*\.$/)
  })

  it('of a key is its EVM address, whether the key is compressed or not', () => {
    const key = publicKeyOf(Buffer.alloc(32, 1), false)
    expect(evmAddressOfKey(key)).toBe('0x1a642f0e3c3af545e7acbd38b07251b3990914f1')
    expect(evmAddressOfKey(compressPublicKey(key))).toBe(evmAddressOfKey(key))
  })
})

it('a currency is HBAR or the number of a token, never an EVM address', () => {
  expect(normalizeCurrency('0.0.456858', MAINNET)).toBe('0.0.456858')
  expect(normalizeCurrency('0.0.456858-ojdqc', MAINNET)).toBe('0.0.456858')
  expect(normalizeCurrency(`0x${'0'.repeat(40)}`, MAINNET)).toBe(NATIVE)
  for (const text of [ALIAS, 'HBAR', '', '0.0.x']) expect(normalizeCurrency(text, MAINNET)).toBeNull()
})
