import type { Hex } from '@causeway/core'
import type { PayoutPurpose } from '@causeway/core/chain'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoInstruction } from './memoInstruction.js'
import { depositMemo, payoutMemo, readOrderIds, readPayoutMemo } from './memoText.js'

const ORDER: Hex = `0x${'ab'.repeat(32)}`
const OTHER: Hex = `0x${'cd'.repeat(32)}`
const purposes: readonly PayoutPurpose[] = ['fill', 'refund', 'excess', 'sweep', 'withdraw', 'claim', 'send']

describe('chains.md, What commits a deposit 2: the id is lower-case text of 66 characters', () => {
  test('a deposit carries the id alone', () => {
    expect(depositMemo(ORDER)).toBe(ORDER)
    expect(depositMemo(ORDER.toUpperCase().replace('0X', '0x') as Hex)).toBe(ORDER)
    expect(memoInstruction(depositMemo(ORDER)).data.length).toBe(66)
  })

  test.each([
    [ORDER, [ORDER]],
    [`for ${ORDER}, thanks`, [ORDER]],
    [`${ORDER}${OTHER}`, [ORDER, OTHER]],
    [`${ORDER} ${ORDER}`, [ORDER]],
    [`${ORDER}0`, []],
    [`${ORDER}A`, []],
    [ORDER.toUpperCase(), []],
    [ORDER.slice(0, -1), []],
    ['', []],
  ])('ids in %j', (text, ids) => {
    expect(readOrderIds(text)).toEqual(ids)
  })
})

describe('the memo of a payout', () => {
  test('its forms', () => {
    expect(payoutMemo({ orderId: ORDER, purpose: 'fill', sequence: 0 })).toBe(`${ORDER} #0`)
    expect(payoutMemo({ orderId: ORDER, purpose: 'refund', sequence: 17 })).toBe(`${ORDER} refund #17`)
  })

  test('of a sweep says whom it credits, and is read back', () => {
    const depositor = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'
    const said = { orderId: ORDER, purpose: 'sweep', sequence: 17, depositor } as const
    expect(payoutMemo(said)).toBe(`${ORDER} sweep #17|depositor=${depositor}|`)
    expect(readPayoutMemo(payoutMemo(said))).toEqual(said)
    expect(readOrderIds(payoutMemo(said))).toEqual([ORDER])
    for (const text of [`${payoutMemo(said)} `, payoutMemo(said).slice(0, -1), `${ORDER} sweep #17|depositor=0x|`]) {
      expect(readPayoutMemo(text)).toBeNull()
    }
  })

  test('is read back, and holds exactly its own order id', () => {
    const memo = fc.record({
      orderId: fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`),
      purpose: fc.constantFrom(...purposes),
      sequence: fc.maxSafeNat(),
    })
    fc.assert(
      fc.property(memo, (said) => {
        const text = payoutMemo(said)
        expect(readPayoutMemo(text)).toEqual(said)
        expect(readOrderIds(text)).toEqual([said.orderId])
      }),
    )
  })

  test.each([
    ORDER,
    `${ORDER} #`,
    `${ORDER} #01`,
    `${ORDER} #-1`,
    `${ORDER} #99999999999999999`,
    `${ORDER} fill #1`,
    `${ORDER} bonus #1`,
    `${ORDER} #1 `,
    ` ${ORDER} #1`,
    `${ORDER}  #1`,
  ])('%j is none', (text) => {
    expect(readPayoutMemo(text)).toBeNull()
  })
})
