import { beginCell, type TupleItem } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { parseStackJson, stackJson } from './stackJson.js'

const cell = beginCell().storeUint(5, 8).endCell()
const bytes = cell.toBoc().toString('base64')

describe('a stack in JSON of toncenter', () => {
  it.each<[string, TupleItem, unknown]>([
    ['a number', { type: 'int', value: 255n }, ['num', '0xff']],
    ['a number below 0', { type: 'int', value: -255n }, ['num', '-0xff']],
    ['a cell', { type: 'cell', cell }, ['cell', { bytes }]],
    ['a slice, as a cell', { type: 'slice', cell }, ['cell', { bytes }]],
    ['null, as an empty list', { type: 'null' }, ['list', { '@type': 'tvm.list', elements: [] }]],
  ])('shows %s', (_, item, json) => {
    expect(stackJson(item)).toEqual(json)
  })

  it('shows items of a tuple with their types', () => {
    const items: TupleItem[] = [
      { type: 'int', value: -7n },
      { type: 'tuple', items: [{ type: 'slice', cell }] },
      { type: 'cell', cell },
      { type: 'null' },
    ]
    const slice = { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes } }
    expect(stackJson({ type: 'tuple', items })).toEqual([
      'tuple',
      {
        '@type': 'tvm.tuple',
        elements: [
          { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '-7' } },
          { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: [slice] } },
          { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes } },
          { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } },
        ],
      },
    ])
  })

  it('reads the parameters of a call', () => {
    const stack = [
      ['num', '-0x10'],
      ['num', '12'],
      ['tvm.Slice', bytes],
    ]
    expect(parseStackJson(stack)).toMatchObject([
      { type: 'int', value: -16n },
      { type: 'int', value: 12n },
      { type: 'slice' },
    ])
    expect(() => parseStackJson('x')).toThrow('missing a required argument')
    expect(() => parseStackJson([['tvm.Unknown', bytes]])).toThrow('Unknown stack entry type')
  })
})
