import { Type } from '@sinclair/typebox'
import { expect, test } from 'vitest'
import { cursorForm, storedMap, storedNumber } from './cursorForm.js'

interface Seen {
  readonly id: string
  readonly at: bigint | null
}

interface Cursor {
  readonly height: bigint
  readonly checked?: bigint
  readonly seen: ReadonlyMap<string, Seen>
}

const seen = Type.Object({ id: Type.String(), at: Type.Union([storedNumber, Type.Null()]) })
const form = cursorForm<Cursor>(
  Type.Object({
    height: storedNumber,
    checked: Type.Optional(storedNumber),
    seen: storedMap(seen, ({ id }: Seen) => id),
  }),
)

test('a cursor is stored with its numbers as text, and comes back as it was', () => {
  const list = [
    { id: 'a', at: 2n ** 70n },
    { id: 'b', at: null },
  ]
  const cursor = { height: -1n, seen: new Map(list.map((each) => [each.id, each])) }
  const stored = JSON.parse(JSON.stringify(form.encode(cursor)))
  expect(stored).toEqual({
    height: '-1',
    seen: [
      { id: 'a', at: '1180591620717411303424' },
      { id: 'b', at: null },
    ],
  })
  expect(form.decode(stored)).toEqual(cursor)
})

test('what another watcher stored is refused', () => {
  for (const other of [null, 7, [], {}, { height: 1, seen: [] }, { height: '1', seen: [['a', '1']] }])
    expect(() => form.decode(other)).toThrow('The stored cursor of this chain cannot be read.')
})
