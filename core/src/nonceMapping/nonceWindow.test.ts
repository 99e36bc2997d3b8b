import { describe, expect, it } from 'vitest'
import { isMappingTimely, isNonceOpen, LATE_MAPPING_MS } from './nonceWindow.js'

const HOUR = 3_600_000
const now = Date.UTC(2026, 6, 1)

describe('nonces (chains.md, hypevm 4 and 5)', () => {
  it.each([
    [-48 * HOUR, false],
    [-48 * HOUR + 1, true],
    [0, true],
    [24 * HOUR - 1, true],
    [24 * HOUR, false],
  ])('one %i ms from now can be sent: %s', (from, open) => {
    expect(isNonceOpen(now + from, now)).toBe(open)
  })

  it('a mapping counts up to an hour after its transfer', () => {
    expect(LATE_MAPPING_MS).toBe(HOUR)
    expect(isMappingTimely({ createdAt: now - HOUR }, now)).toBe(true)
    expect(isMappingTimely({ createdAt: now + HOUR }, now)).toBe(true)
    expect(isMappingTimely({ createdAt: now + HOUR + 1 }, now)).toBe(false)
  })
})
