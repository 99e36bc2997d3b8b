import { CallError } from '@causeway/core/testing'
import { Cell, type TupleItem } from '@ton/core'

const hex = (value: bigint): string => (value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`)

const bytesOf = (cell: Cell) => ({ bytes: cell.toBoc().toString('base64') })

/** An item of a result's stack. */
export const stackJson = (item: TupleItem): readonly unknown[] => {
  if (item.type === 'int') return ['num', hex(item.value)]
  if (item.type === 'tuple') return ['tuple', { '@type': 'tvm.tuple', elements: item.items.map(entryJson) }]
  if (item.type === 'null' || item.type === 'nan') return ['list', { '@type': 'tvm.list', elements: [] }]
  // A slice is shown as the cell that holds the rest of it.
  return [item.type === 'slice' ? 'cell' : item.type, bytesOf(item.cell)]
}

/** An item inside of a tuple. */
const entryJson = (item: TupleItem): object => {
  if (item.type === 'int') {
    const number = { '@type': 'tvm.numberDecimal', number: String(item.value) }
    return { '@type': 'tvm.stackEntryNumber', number }
  }
  if (item.type === 'tuple') {
    const tuple = { '@type': 'tvm.tuple', elements: item.items.map(entryJson) }
    return { '@type': 'tvm.stackEntryTuple', tuple }
  }
  if (item.type === 'null' || item.type === 'nan') {
    return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } }
  }
  if (item.type === 'slice') {
    return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', ...bytesOf(item.cell) } }
  }
  return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', ...bytesOf(item.cell) } }
}

const signed = (text: string): bigint => (text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text))

const CELL_KINDS: Readonly<Record<string, 'cell' | 'slice' | 'builder'>> = {
  'tvm.Cell': 'cell',
  'tvm.Slice': 'slice',
  'tvm.Builder': 'builder',
}

/** Parameters of a get method: `["num", "0x1"]`, `["tvm.Slice", base64]`. @throws CallError for another item */
export const parseStackJson = (stack: unknown): TupleItem[] => {
  if (!Array.isArray(stack)) throw new CallError(422, "TypeError: missing a required argument: 'stack'")
  return stack.map((item: unknown): TupleItem => {
    const [type, value] = Array.isArray(item) ? item : []
    if (type === 'num') return { type: 'int', value: signed(String(value)) }
    const kind = CELL_KINDS[String(type)]
    if (kind === undefined) throw new CallError(500, `Unknown stack entry type ${String(type)}`)
    return { type: kind, cell: Cell.fromBase64(String(value)) }
  })
}
