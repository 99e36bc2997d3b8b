import fc from 'fast-check'
import { hashMessage } from 'viem'
import { expect, it } from 'vitest'
import { personalDigest } from './personalDigest.js'

it('property: a text or bytes have the digest that wallets sign (EIP-191)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array(), (text, raw) => {
      expect(personalDigest(text)).toBe(hashMessage(text))
      expect(personalDigest(raw)).toBe(hashMessage({ raw }))
    }),
  )
})
