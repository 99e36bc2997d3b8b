import type { DepositAddressTerms } from '@causeway/core/chain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateAddress } from '../address/addresses.js'
import { TURNS, tagLabels } from './tagLabels.js'

const ACCOUNT = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'
const OTHER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const labels = tagLabels({ account: ACCOUNT, networkId: 0 })
const terms: DepositAddressTerms = { orderId: `0x${'ab'.repeat(32)}`, depositor: OTHER }

describe('the label of an order', () => {
  it('is a tag of 32 bits that is never 0, in an X-address of the account', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(TURNS - 1), (bytes, turn) => {
        const orderId = `0x${Buffer.from(bytes).toString('hex')}` as const
        const label = labels.of({ ...terms, orderId }, turn)
        const tag = Number(label)
        expect(tag).toBeGreaterThan(0)
        expect(tag).toBeLessThan(2 ** 32)
        expect(validateAddress(labels.spell(label).address, 0)).toEqual({ ok: true, canonical: ACCOUNT, tag })
      }),
    )
  })

  it('differs between orders, depositors and turns (faults.md F18)', () => {
    const all = [
      ...Array.from({ length: TURNS }, (_, turn) => labels.of(terms, turn)),
      labels.of({ ...terms, depositor: ACCOUNT }, 0),
      labels.of({ ...terms, orderId: `0x${'ac'.repeat(32)}` }, 0),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  it('never changes between versions: users know the addresses', () => {
    expect(labels.of(terms, 0)).toBe('1488257494')
  })
})

describe('a destination', () => {
  const label = labels.of(terms, 0)
  const tag = Number(label)
  const destination = labels.spell(label)

  it('is the same address as an X-address and as account and tag', () => {
    expect(labels.read(destination)).toBe(label)
    expect(labels.read({ address: ACCOUNT, tag })).toBe(label)
    expect(labels.read({ ...destination, tag })).toBe(label)
  })

  it.each([
    ['the account alone', { address: ACCOUNT }],
    ['another account', { address: OTHER, tag: 7 }],
    ['two tags', { ...destination, tag: tag === 7 ? 8 : 7 }],
    ['a memo', { ...destination, memo: 'text' }],
    ['an X-address of another network', tagLabels({ account: ACCOUNT, networkId: 1 }).spell(label)],
    ['nonsense', { address: 'nonsense', tag: 7 }],
  ])('is none with %s', (_, named) => {
    expect(labels.read(named)).toBeNull()
  })
})
