import { describe, expect, it } from 'vitest'
import type { DepositAddresses, DepositAddressForm } from './address/depositAddresses.js'
import type { AddressCheck, Capabilities } from './chainAdapter.js'
import type { Destination } from './chainReferences.js'
import {
  destinationText,
  isPlainDestination,
  parseDestination,
  readAddressToPay,
  readDestination,
  sameDestination,
} from './destination.js'

/** Accounts are lower-case letters; `X...` holds the tag 5, as an X-address does. */
const adapterOf = (capabilities: Partial<Capabilities>) => ({
  // CAST: nothing else of them is looked at.
  capabilities: { destinationTag: false, ...capabilities } as Capabilities,
  validateAddress: (text: string): AddressCheck => {
    if (/^X[a-z]+$/.test(text)) return { ok: true, canonical: text.slice(1), tag: 5 }
    return /^[a-z]+$/i.test(text) ? { ok: true, canonical: text.toLowerCase() } : { ok: false, why: 'letters only' }
  },
  sameAddress: (left: string, right: string) => left.toLowerCase() === right.toLowerCase(),
})
const full = adapterOf({ destinationTag: true, destinationMemoBytes: 8 })

describe('the text of a destination', () => {
  it.each<[Destination, string]>([
    [{ address: '0xAB' }, '0xAB'],
    [{ address: 'EQ_-a:b', tag: 0 }, 'EQ_-a:b?tag=0'],
    [{ address: 'r', tag: 4_294_967_295 }, 'r?tag=4294967295'],
    [{ address: '0.0.7', memo: 'a b&tag=9?%é€😀' }, '0.0.7?memo=a%20b%26tag%3D9%3F%25%C3%A9%E2%82%AC%F0%9F%98%80'],
    [{ address: 'r', tag: 7, memo: '7' }, 'r?tag=7&memo=7'],
  ])('holds all of %o', (destination, text) => {
    expect(destinationText(destination)).toBe(text)
    expect(parseDestination(text)).toEqual(destination)
  })

  it.each([
    'r?',
    'r?tag=',
    'r?tag=01',
    'r?tag=-1',
    'r?tag=1.0',
    'r?tag=4294967296',
    'r?tag=1&tag=1',
    'r?dt=1',
    'r?memo=',
  ])('%s is none', (text) => {
    expect(() => parseDestination(text)).toThrow(RangeError)
  })

  it.each(['%', '%ff', '\ud800', '%00', 'a%0Ab', 'a\nb'])('a memo %j is none', (memo) => {
    expect(() => parseDestination(`r?memo=${memo}`)).toThrow(RangeError)
  })
})

describe('what a user names', () => {
  it.each([
    ['ABC', 'abc'],
    ['abc?tag=0', 'abc?tag=0'],
    ['Xabc', 'abc?tag=5'],
    ['Xabc?tag=5', 'abc?tag=5'],
    ['abc?memo=a b', 'abc?memo=a%20b'],
    ['abc?memo=%61&tag=1', 'abc?tag=1&memo=a'],
  ])('%s is %s', (text, expected) => {
    const check = readDestination(full, text)
    expect(check.ok && destinationText(check.destination)).toBe(expected)
  })

  it.each([
    ['9', 'letters only'],
    ['9?tag=1', 'letters only'],
    ['Xabc?tag=6', 'it names two tags'],
    ['abc?memo=123456789', 'its memo is longer than 8 bytes'],
    ['abc?memo=%E2%82%AC%E2%82%AC%E2%82%AC', 'its memo is longer than 8 bytes'],
    ['abc?tag=x', 'its tag must be a whole number up to 4294967295'],
    ['abc?to=x', 'behind the address only "?tag=" and "?memo=" may stand, each once'],
  ])('%s is refused: %s', (text, why) => {
    expect(readDestination(full, text)).toEqual({ ok: false, why })
  })

  it('is refused with what payments of the chain cannot carry, also where the address itself holds it', () => {
    const plain = adapterOf({})
    for (const text of ['abc?tag=1', 'Xabc'])
      expect(readDestination(plain, text)).toEqual({ ok: false, why: 'payments on this chain carry no tag' })
    const why = 'payments on this chain carry no memo'
    expect(readDestination(plain, 'abc?memo=1')).toEqual({ ok: false, why })
    expect(readDestination(plain, 'abc')).toEqual({ ok: true, destination: { address: 'abc' } })
  })
})

it('two tags or memos are two owners, and none is another than 0 (faults.md F24)', () => {
  const owners: Destination[] = [
    { address: 'a' },
    { address: 'a', tag: 0 },
    { address: 'a', tag: 1 },
    { address: 'a', memo: '0' },
    { address: 'a', tag: 0, memo: '0' },
    { address: 'b' },
  ]
  owners.forEach((left, at) => {
    for (const [place, right] of owners.entries()) expect(sameDestination(full, left, right)).toBe(at === place)
  })
  expect(sameDestination(full, { address: 'A', tag: 1 }, { address: 'a', tag: 1 })).toBe(true)
  expect(owners.filter(isPlainDestination)).toEqual([{ address: 'a' }, { address: 'b' }])
})

it('an address to pay may have a memo that payments do not carry, where deposit addresses are memos', () => {
  const plain = adapterOf({})
  const read = (forms: readonly DepositAddressForm[]) => {
    // CAST: only the forms are read.
    const depositAddresses = { forms } as unknown as DepositAddresses
    return readAddressToPay({ ...plain, depositAddresses }, 'abc?memo=12345')
  }
  expect(read(['memo'])).toEqual({ ok: true, destination: { address: 'abc', memo: '12345' } })
  expect(read(['hd-key'])).toMatchObject({ ok: false })
  expect(readDestination(plain, 'abc?memo=12345')).toMatchObject({ ok: false })
})
