import type { Hex } from '@causeway/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { depositOrderId, memosOf, onlyMemo, readMemos } from './memos.js'

const ORDER: Hex = `0x${'ab'.repeat(32)}`
const OTHER: Hex = `0x${'12'.repeat(32)}`

const memo = (data: unknown) => ({ Memo: { MemoData: data } })
const said = (text: string) => memo(Buffer.from(text).toString('hex'))

it('a memo that was written is read back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      expect(readMemos(memosOf(text))).toEqual([text])
      expect(onlyMemo(memosOf(text))).toBe(text)
    }),
  )
  expect(memosOf(ORDER)[0].Memo.MemoType).toBe('6F726465722D6964')
})

describe('the order of a deposit', () => {
  it.each([
    ['the memo alone', memosOf(ORDER)],
    ['capitals', [said(ORDER.toUpperCase())]],
    ['the data in capitals', [memo(Buffer.from(ORDER).toString('hex').toUpperCase())]],
    ['another memo before it', [said('hello'), said(ORDER)]],
    ['a memo without data before it', [{ Memo: { MemoType: 'AA' } }, said(ORDER)]],
    ['a memo that is no text before it', [memo('FF'), said(ORDER)]],
    ['the first of two', [said(ORDER), said(OTHER)]],
  ])('is named by %s (chains.md xrpvm 3)', (_, memos) => {
    expect(depositOrderId(memos)).toBe(ORDER)
  })

  it.each([
    ['no memos', undefined],
    ['an empty list', []],
    ['what is no list', { Memo: said(ORDER) }],
    ['what is no memo', [null, 7, 'x', {}, { Memo: null }]],
    ['digits that are no hex', [memo('0xZZ')]],
    ['half a byte', [memo('ABC')]],
    ['the bytes of the id', [memo(ORDER.slice(2))]],
    ['more than an id', [said(`${ORDER} refund`)]],
    ['an id with a space', [said(` ${ORDER}`)]],
    ['an id that is too long', [said(`${ORDER}ab`)]],
    ['the type of a memo', [{ Memo: { MemoType: Buffer.from(ORDER).toString('hex') } }]],
  ])('is not named by %s', (_, memos) => {
    expect(depositOrderId(memos)).toBeNull()
  })
})

it('a payment with two memos, or with one that is no text, says nothing (chains.md xrpvm 5)', () => {
  expect(onlyMemo([said(ORDER), said('x')])).toBeNull()
  expect(onlyMemo([memo('FF')])).toBeNull()
  expect(onlyMemo(undefined)).toBeNull()
})
