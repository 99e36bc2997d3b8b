import { beginCell, type Cell, comment } from '@ton/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { depositorsIn, orderIdIn, readBody } from './comments.js'

const ORDER = `0x${'ab'.repeat(32)}`

const read = (body: Cell) => readBody(body.beginParse())

it('a comment that was written is read back as it was, also over several cells', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
      expect(read(comment(text))).toEqual({ kind: 'text', text })
    }),
  )
})

describe('a body', () => {
  it('of fewer than 32 bits has no text', () => {
    expect(read(beginCell().endCell())).toEqual({ kind: 'text', text: null })
    expect(read(beginCell().storeUint(1, 31).endCell())).toEqual({ kind: 'text', text: null })
  })

  it('with another operation than a comment is no payment', () => {
    const notification = beginCell().storeUint(0x7362d09c, 32).endCell()
    expect(read(notification)).toEqual({ kind: 'operation', op: 0x7362d09c })
  })

  it.each([
    ['half a byte', beginCell().storeUint(0, 32).storeUint(1, 4)],
    ['two references', beginCell().storeUint(0, 32).storeRef(beginCell()).storeRef(beginCell())],
  ])('whose text has %s is a payment without a text', (_, builder) => {
    expect(read(builder.endCell())).toEqual({ kind: 'text', text: null })
  })
})

describe('the order of a comment', () => {
  it.each([ORDER, ORDER.toUpperCase().replace('X', 'x'), `${ORDER}|depositor=x|`, `${ORDER} and more`])(
    '%.80s begins with it (chains.md tonvm 3)',
    (text) => {
      expect(orderIdIn(text)).toBe(ORDER)
    },
  )

  it.each([null, '', 'hello', ` ${ORDER}`, ORDER.slice(2), ORDER.slice(0, 65)])('is not named by %s', (text) => {
    expect(orderIdIn(text)).toBeNull()
  })
})

it('depositors are read wherever they stand, and need a closing bar', () => {
  expect(depositorsIn(`${ORDER}|depositor=one|depositor=two|`)).toEqual(['one', 'two'])
  expect(depositorsIn('|depositor=one')).toEqual([])
  expect(depositorsIn(`|depositor=${'x'.repeat(129)}|`)).toEqual([])
  expect(depositorsIn(null)).toEqual([])
})
