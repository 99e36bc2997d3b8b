import type { QuoteBody } from '@causeway/core/plugin'
import { parseUsd } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { readSponsorRequest } from './sponsorRequest.js'

// CAST: of a body only these fields are read.
const read = (body: object) => readSponsorRequest({ subsidizeFees: true, ...body } as unknown as QuoteBody)
const failure = (body: object): unknown => {
  try {
    return read(body)
  } catch (error) {
    return `${Reflect.get(Object(error), 'code')}: ${Reflect.get(Object(error), 'message')}`
  }
}
const selected = (body: object) => [...(read(body)?.selected ?? [])].sort()

describe('what a body asks of its sponsor (wire.md 1.2)', () => {
  it('is nothing without the flag', () => {
    for (const body of [{ subsidizeFees: false }, { subsidizeFees: undefined }, {}])
      expect(readSponsorRequest({ ...body } as unknown as QuoteBody)).toBeNull()
  })

  it('selects all but rent, or what it names under either name of the platform fee (K.1 12)', () => {
    expect(selected({})).toEqual(['app', 'execution', 'platform', 'swap'])
    expect(selected({ subsidizeRent: true })).toEqual(['app', 'execution', 'platform', 'rent', 'swap'])
    expect(selected({ sponsoredFeeComponents: ['relay', 'platform', 'relay'] })).toEqual(['platform'])
    expect(selected({ sponsoredFeeComponents: ['app'], subsidizeRent: true })).toEqual(['app', 'rent'])
  })

  it('has a cap in millionths of a dollar, zero and large ones too, and a share', () => {
    expect(read({ maxSubsidizationAmount: '1500000' })).toMatchObject({ cap: parseUsd('1.5'), capText: '1500000' })
    expect(read({ maxSubsidizationAmount: '0' })?.cap).toBe(0n)
    expect(read({ maxSubsidizationAmount: '9'.repeat(60) })?.cap).toBeGreaterThan(0n)
    expect([read({ subsidizationBps: 0 })?.bps, read({ subsidizationBps: 10_000 })?.bps, read({})?.bps]).toEqual([
      0,
      10_000,
      null,
    ])
  })

  it.each(['', '-1', '1.5', '0x1', '01', ' 1', '1e6', '٣', '9'.repeat(61)])('a cap of %j is refused', (text) => {
    expect(failure({ maxSubsidizationAmount: text })).toMatch(/^INVALID_SUBSIDIZATION: body.maxSubsidizationAmount/)
  })

  it.each([[['gas']], [['']], [['Relay']], [['toString']], [['app', 'x'.repeat(300)]], [[]]])(
    'components %j are refused',
    (names) => {
      expect(failure({ sponsoredFeeComponents: names })).toMatch(/^INVALID_SUBSIDIZATION: body.sponsoredFeeComponents/)
    },
  )
})

describe('a rate that is asked for (wire.md D.8)', () => {
  it('is so much output for so much input, and its sponsor bears all fees, rent too', () => {
    const rateOf = (text: string) => read({ fixedRate: text })?.fixedRate
    expect(rateOf('1:1')).toEqual({ output: parseUsd('1'), input: parseUsd('1') })
    expect(rateOf('1:1.0005')).toEqual({ output: parseUsd('1'), input: parseUsd('1.0005') })
    expect(rateOf('0.5:2')).toEqual({ output: parseUsd('0.5'), input: parseUsd('2') })
    expect(selected({ fixedRate: '1:1' })).toEqual(['app', 'execution', 'platform', 'rent', 'swap'])
  })

  it.each([
    '',
    ':',
    '1',
    '1:',
    ':1',
    '0:1',
    '1:0',
    '1:-1',
    '1:1:1',
    '1/1',
    '1e0:1',
    ' 1:1',
    '1:.5',
    'NaN:1',
    `1:${'9'.repeat(19)}`,
  ])('%j is none: INVALID_REQUEST', (text) => {
    expect(failure({ fixedRate: text })).toMatch(/^INVALID_REQUEST: body.fixedRate/)
  })

  it('needs the flag, and goes with no part of a sponsor', () => {
    expect(failure({ fixedRate: '1:1', subsidizeFees: undefined })).toMatch(/^INVALID_SUBSIDIZATION: .*subsidizeFees/)
    for (const more of [{ subsidizationBps: 10_000 }, { sponsoredFeeComponents: ['app'] }])
      expect(failure({ fixedRate: '1:1', ...more })).toMatch(/^INVALID_SUBSIDIZATION: body.fixedRate does not go/)
  })
})
