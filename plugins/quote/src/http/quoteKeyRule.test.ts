import type { Caller } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { ANYONE, INTEGRATOR } from '../fixtures/quoteWorld.js'
import { type QuotePath, requireQuoteKey } from './quoteKeyRule.js'

const PROXIED = { ...INTEGRATOR, proxied: true } as Caller

const refusal = (body: unknown, caller: Caller, path: QuotePath = '/quote'): string | null => {
  const settings = { referrerRequiresKey: true, quoteV2KeyRequiredFrom: 0 }
  const keyFlagOf = (given: unknown) => (Reflect.get(Object(given), 'spends') === true ? 'spends' : null)
  try {
    requireQuoteKey(path, body, caller, { clock: { now: () => 1 }, settings, keyFlagOf })
    return null
  } catch (error) {
    return String(Reflect.get(Object(error), 'code'))
  }
}

describe('a flag that takes money of the integrator (wire.md K.1 7)', () => {
  it.each(['/quote', '/quote/v2', '/price'] as const)('%s: needs the key itself', (path) => {
    expect(refusal({ spends: true }, ANYONE, path)).toBe(path === '/quote/v2' ? 'UNAUTHORIZED_QUOTE' : 'UNAUTHORIZED')
    // Anybody can send the header by which a browser's key is added.
    expect(refusal({ spends: true }, PROXIED, path)).toBe('UNAUTHORIZED')
    expect(refusal({ spends: true }, INTEGRATOR, path)).toBeNull()
  })

  it('is asked for only where it is set, in whatever body', () => {
    for (const body of [{ spends: false }, {}, null, 'spends', 5, [], { spends: 'true' }]) {
      expect(refusal(body, ANYONE)).toBeNull()
      expect(refusal(body, PROXIED)).toBeNull()
    }
  })
})

describe('POST /quote/v2 without a key (wire.md H.7)', () => {
  const refused = (now: number, path: QuotePath = '/quote/v2'): boolean => {
    const settings = { referrerRequiresKey: true, quoteV2KeyRequiredFrom: 1_000 }
    try {
      requireQuoteKey(path, {}, ANYONE, { clock: { now: () => now }, settings, keyFlagOf: () => null })
      return false
    } catch {
      return true
    }
  }

  it('is refused from the configured instant on, and no other path is', () => {
    expect([999, 1_000, 1_001].map((now) => refused(now))).toEqual([false, true, true])
    expect([refused(1_001, '/quote'), refused(1_001, '/price')]).toEqual([false, false])
  })
})
