import { describe, expect, it } from 'vitest'
import { fundingMark, markOf, readMark } from './marks.js'

const ID = `0x${'5a'.repeat(32)}` as const
const SWEEP = 'ab'.repeat(32)

describe('bytes that name an order', () => {
  it('are the id alone for a fill, and end with it for any other payment', () => {
    expect(markOf({ purpose: 'fill', orderId: ID })).toBe('5a'.repeat(32))
    expect(markOf({ purpose: 'refund', orderId: ID })).toBe(`726566756e64${'5a'.repeat(32)}`)
  })

  it('come back as they were written', () => {
    expect(readMark(markOf({ purpose: 'fill', orderId: ID }))).toEqual({ memo: ID, sweepId: null })
    for (const purpose of ['refund', 'excess', 'withdraw', 'claim', 'send'] as const)
      expect(readMark(markOf({ purpose, orderId: ID }))).toEqual({ memo: `${ID} ${purpose}`, sweepId: null })
    expect(readMark(fundingMark(ID, SWEEP))).toEqual({ memo: `${ID} sweep`, sweepId: SWEEP })
  })

  it.each(['', '5a', 'ff'.repeat(31), `${'ff'.repeat(40)}${'5a'.repeat(32)}`, `00${'5a'.repeat(32)}`])(
    'are not %s',
    (hex) => expect(readMark(hex)).toBeNull(),
  )
})
