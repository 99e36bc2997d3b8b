import { describe, expect, it } from 'vitest'
import { tonHash } from './tonHash.js'

describe('the hash of a TON transaction (wire.md 3.1)', () => {
  const bare = 'ab'.repeat(32)
  const bytes = Buffer.from(bare, 'hex')

  it.each([`0x${bare.toUpperCase()}`, bare, bytes.toString('base64'), bytes.toString('base64url'), `47000001:${bare}`])(
    'of %s is 64 bare hex digits',
    (id) => {
      expect(tonHash(id)).toBe(bare)
    },
  )

  it.each(['', 'ab', `${bare}00`])('leaves %s, which is none, as it is', (id) => {
    expect(tonHash(id)).toBe(id)
  })
})
