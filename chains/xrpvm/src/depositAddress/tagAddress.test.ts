import type { DepositAddressTerms } from '@causeway/core/chain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateAddress } from '../address/addresses.js'
import { deriveTagAddress, readTag, requireTag, spellTagAddress, TURNS, tagOf } from './tagAddress.js'

const ACCOUNT = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'
const OTHER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const tagged = { account: ACCOUNT, networkId: 0 }
const terms: DepositAddressTerms = { orderId: `0x${'ab'.repeat(32)}`, depositor: OTHER }

describe('the address of an order', () => {
  it('is the X-address of the account with a tag of 32 bits that is never 0', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(TURNS - 1), (bytes, turn) => {
        const orderId = `0x${Buffer.from(bytes).toString('hex')}` as const
        const { destination, derivation } = deriveTagAddress(tagged, { ...terms, orderId }, turn)
        const tag = tagOf({ ...terms, orderId }, turn)
        expect(tag).toBeGreaterThan(0)
        expect(tag).toBeLessThan(2 ** 32)
        expect(validateAddress(destination.address, 0)).toEqual({ ok: true, canonical: ACCOUNT, tag })
        expect(derivation).toEqual({ tag, turn })
      }),
    )
  })

  it('is another one for another order, another depositor and each turn (faults.md F18)', () => {
    const all = [
      ...Array.from({ length: TURNS }, (_, turn) => deriveTagAddress(tagged, terms, turn)),
      deriveTagAddress(tagged, { ...terms, depositor: ACCOUNT }),
      deriveTagAddress(tagged, { ...terms, orderId: `0x${'ac'.repeat(32)}` }),
    ]
    expect(new Set(all.map(({ destination }) => destination.address)).size).toBe(all.length)
    expect(deriveTagAddress(tagged, terms)).toEqual(all[0])
  })

  it('stays what it was: addresses were told to users', () => {
    expect(tagOf(terms)).toBe(1_488_257_494)
  })
})

describe('a destination', () => {
  const { destination } = deriveTagAddress(tagged, terms)
  const tag = tagOf(terms)

  it('is the same address as an X-address and as account and tag', () => {
    expect(readTag(tagged, destination)).toBe(tag)
    expect(readTag(tagged, { address: ACCOUNT, tag })).toBe(tag)
    expect(readTag(tagged, { ...destination, tag })).toBe(tag)
    expect(spellTagAddress(tagged, { address: ACCOUNT, tag })).toEqual(destination)
    expect(spellTagAddress(tagged, destination)).toEqual(destination)
  })

  it.each([
    ['the account alone', { address: ACCOUNT }],
    ['another account', { address: OTHER, tag: 7 }],
    ['two tags', { ...destination, tag: tag === 7 ? 8 : 7 }],
    ['a memo', { ...destination, memo: 'text' }],
    ['an X-address of another network', deriveTagAddress({ ...tagged, networkId: 1 }, terms).destination],
    ['nonsense', { address: 'nonsense', tag: 7 }],
  ])('is none with %s', (_, named) => {
    expect(readTag(tagged, named)).toBeNull()
    expect(spellTagAddress(tagged, named)).toEqual(named)
    expect(() => requireTag(tagged, named)).toThrow('no deposit address')
  })
})
