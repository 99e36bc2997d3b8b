import { type Caller, validator } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { CallCounts } from './callCounts.js'
import { type RateLimitOptions, rateLimitOptions } from './options.js'

const optionsOf = (given: object): RateLimitOptions => {
  validator(rateLimitOptions, 'options')(given)
  // CAST: just checked, and filled in.
  return given as RateLimitOptions
}

const keyed = (more: object = {}): Caller => ({
  kind: 'integrator',
  integratorId: 'acme',
  apiKeyId: 'key-1',
  keyName: null,
  elevated: false,
  ...more,
})
const anonymous: Caller = { kind: 'anonymous' }
const elevated = keyed({ elevated: true })

const countsOf = (caller: Caller, call: object, given: object = {}, at = '2026-08-31T23:59:59Z') => {
  const counts = new CallCounts({ options: optionsOf(given), clock: { now: () => Date.parse(at) } })
  const whole = { bucket: 'other', method: 'GET', route: '/x', ip: '192.0.2.1', caller: async () => caller, ...call }
  return counts.of(whole, caller).map(({ key, rule }) => `${key} ${rule.points}/${rule.seconds}`)
}

describe('buckets (wire.md H.1)', () => {
  it.each([
    ['quote', '10/60', '50/60', '10/1'],
    ['status', '60/60', '200/60', '200/60'],
    ['requests', '60/60', '200/60', '10/1'],
    ['requests/v3', '60/60', '200/60', '20/1'],
    ['transactions/status', '60/60', '200/60', '10/1'],
    ['other', '60/60', '200/60', '200/60'],
  ])('%s: %s per address, %s per key, %s per elevated key', (bucket, ofAddress, ofKey, ofElevated) => {
    expect(countsOf(anonymous, { bucket })).toEqual([`${bucket}:a:192.0.2.1 ${ofAddress}`])
    expect(countsOf(keyed(), { bucket })).toEqual([`${bucket}:k:key-1 ${ofKey}`])
    expect(countsOf(elevated, { bucket })).toEqual([`${bucket}:e:key-1 ${ofElevated}`])
  })

  it('one that nobody knows counts as other', () => {
    expect(countsOf(anonymous, { bucket: 'toString' })).toEqual(['other:a:192.0.2.1 60/60'])
  })

  it('every limit can be set, and all multiplied', () => {
    const buckets = { quote: { anonymous: { points: 3, seconds: 5 } } }
    expect(countsOf(anonymous, { bucket: 'quote' }, { buckets, scale: 100 })).toEqual(['quote:a:192.0.2.1 300/5'])
    expect(countsOf(keyed(), { bucket: 'quote' }, { buckets })).toEqual(['quote:k:key-1 50/60'])
  })

  it('an elevated key never has less than another', () => {
    const buckets = { other: { key: { points: 900 } }, quote: { key: { points: 601 } } }
    expect(countsOf(elevated, { bucket: 'other' }, { buckets })).toEqual(['other:e:key-1 900/60'])
    expect(countsOf(elevated, { bucket: 'quote' }, { buckets })).toEqual(['quote:e:key-1 601/60'])
  })

  it("a proxied caller has the key's limits by address, and all of them a multiple together", () => {
    expect(countsOf(keyed({ proxied: true }), { bucket: 'quote' }, { proxiedMultiple: 4 })).toEqual([
      'quote:pk:key-1:192.0.2.1 50/60',
      'quote:pk:key-1 200/60',
    ])
  })
})

describe('POST /authorize (wire.md 2.8)', () => {
  const call = (subject?: string) => ({ bucket: 'authorize', further: { subject } })

  it('elevated keys: 5 per 60 s with one wallet that signed, 30 per 60 s in all', () => {
    expect(countsOf(elevated, call('w'))).toEqual([expect.stringMatching(/^authorize:e:key-1:[\w-]{32} 5\/60$/)])
    expect(countsOf(elevated, call())).toEqual(['authorize/all:e:key-1 30/60'])
  })

  it('others: 5 per 60 s with one wallet that signed, whoever asks, 20 per 60 s per key or address', () => {
    expect(countsOf(keyed(), call('w'))).toEqual([expect.stringMatching(/^authorize:s:[\w-]{32} 5\/60$/)])
    expect(countsOf(anonymous, call('w'))).toEqual(countsOf(keyed(), call('w')))
    expect(countsOf(keyed(), call())).toEqual(['authorize/all:k:key-1 20/60'])
    expect(countsOf(anonymous, call())).toEqual(['authorize/all:a:192.0.2.1 20/60'])
  })

  it('an EVM wallet is one in any case, others are exact, of any length', () => {
    const address = `0x${'aB'.repeat(20)}`
    expect(countsOf(elevated, call(address))).toEqual(countsOf(elevated, call(address.toLowerCase())))
    expect(countsOf(elevated, call(address))).toEqual(countsOf(elevated, call(address.toUpperCase())))
    expect(countsOf(elevated, call('Abc'))).not.toEqual(countsOf(elevated, call('abc')))
    for (const key of countsOf(elevated, call('\u0000'.repeat(100_000)))) expect(key.length).toBeLessThan(100)
  })
})

describe('GET /requests/v2: the monthly cut (wire.md H.1, K.3 6)', () => {
  const call = { bucket: 'requests', route: '/requests/v2' }
  const cutOf = (caller: Caller, at: string, given: object = {}) => countsOf(caller, call, given, at)[0]

  it('before 2026-09-01 only the shared bucket counts', () => {
    expect(countsOf(elevated, call)).toEqual(['requests:e:key-1 10/1'])
  })

  it.each([
    ['2026-09-01T00:00:00Z', 1, '30/60', '100/60', '5/1'],
    ['2026-09-30T23:59:59Z', 1, '30/60', '100/60', '5/1'],
    ['2026-10-01T00:00:00Z', 2, '15/60', '50/60', '2/1'],
    ['2026-11-01T00:00:00Z', 3, '7/60', '25/60', '1/1'],
    ['2027-01-01T00:00:00Z', 5, '1/60', '6/60', '1/1'],
  ])('at %s it was cut %i times, at every tier', (at, times, ofAddress, ofKey, ofElevated) => {
    expect(cutOf(anonymous, at)).toBe(`requests/cut${times}:a:192.0.2.1 ${ofAddress}`)
    expect(cutOf(keyed(), at)).toBe(`requests/cut${times}:k:key-1 ${ofKey}`)
    expect(cutOf(elevated, at)).toBe(`requests/cut${times}:e:key-1 ${ofElevated}`)
  })

  it('goes on counting in the bucket it shares with /requests, which is not cut', () => {
    const at = '2026-10-01T00:00:00Z'
    expect(countsOf(elevated, call, {}, at)).toEqual(['requests/cut2:e:key-1 2/1', 'requests:e:key-1 10/1'])
    expect(countsOf(elevated, { ...call, route: '/requests' }, {}, at)).toEqual(['requests:e:key-1 10/1'])
  })

  it('its date and factor can be set', () => {
    const requestsV2Cut = { from: '2026-08-01', factor: 0.25 }
    expect(cutOf(elevated, '2026-08-01T00:00:00Z', { requestsV2Cut })).toBe('requests/cut1:e:key-1 2/1')
  })
})
