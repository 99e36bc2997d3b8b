import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { computeOnchainId } from './computeOnchainId.js'
import { OrderEncodingError } from './orderEncodingError.js'

const digits = 'ab'.repeat(32)

it('is the SHA-256 of the lower-cased slug, transaction id and index (chains.md common rules 5)', () => {
  const expected = createHash('sha256').update(`base:0x${digits}:12`).digest('hex')
  expect(computeOnchainId('base', `0x${digits.toUpperCase()}`, 12)).toBe(`0x${expected}`)
})

it('differs by chain, transaction and index', () => {
  const ids = [
    computeOnchainId('base', digits, 0),
    computeOnchainId('optimism', digits, 0),
    computeOnchainId('base', digits, 1),
    computeOnchainId('base', `${digits}0`, 0),
  ]
  expect(new Set(ids).size).toBe(ids.length)
})

it.each([
  ['', digits, 0],
  ['base', '', 0],
  ['base:a', digits, 0],
  ['base', 'a:1', 0],
  ['base', digits, -1],
  ['base', digits, 1.5],
])('%s %s %d is refused, as two deposits could share it', (slug, id, index) => {
  expect(() => computeOnchainId(slug, id, index)).toThrow(OrderEncodingError)
})
