import { Type } from '@sinclair/typebox'
import { expect, test } from 'vitest'
import { answerOf } from './checkedAnswer.js'

const item = Type.Object({ id: Type.Integer(), note: Type.Optional(Type.String()) })
const read = answerOf(
  Type.Object({
    to: Type.Union([Type.String(), Type.Null()]),
    fee: Type.Optional(Type.Object({ amount: Type.String(), payer: Type.Optional(Type.String()) })),
    items: Type.Optional(Type.Array(Type.Union([Type.Null(), item]))),
  }),
)

test('F161: null and absent are the same, wherever a member may lack', () => {
  expect(read({ fee: null, items: null })).toEqual({ to: null })
  expect(read({ to: null, fee: { amount: '1', payer: null }, items: [null, { id: 1, note: null }] })).toEqual({
    to: null,
    fee: { amount: '1' },
    items: [null, { id: 1 }],
  })
})

test('an answer that fits is given as it is, with members that are not read', () => {
  const answer = { to: 'a', items: [{ id: 1, more: [null] }], other: null }
  expect(read(answer)).toBe(answer)
})

test.each([
  null,
  [],
  'text',
  7,
  { to: 1 },
  { to: 'a', fee: {} },
  { to: 'a', items: [{ id: null }] },
  { to: 'a', items: {} },
])('F161: %j is the failure of the node, and says where for operators', (answer) => {
  expect(() => read(answer)).toThrow(expect.objectContaining({ code: 'RPC_HTTP_ERROR' }))
  expect(() => read(answer)).toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ message: expect.stringMatching(/^Strange answer/) }) }),
  )
})
