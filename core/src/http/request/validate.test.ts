import { Type } from '@sinclair/typebox'
import { expect, it } from 'vitest'
import { compileNext, validator } from './validate.js'

it('a schema compiles when it is first needed or before, and is the same check either way', () => {
  const early = validator(Type.Object({ a: Type.Integer({ default: 3 }) }), 'body')
  while (compileNext());
  const late = validator(Type.Object({ a: Type.Integer({ default: 3 }) }), 'body')
  for (const check of [early, late]) {
    const value: { a?: number } = {}
    check(value)
    expect(value.a).toBe(3)
    expect(() => check({ a: 'x' })).toThrow('body.a must be integer')
  }
  expect(compileNext()).toBe(false)
})

it('a schema that cannot be used is named by whoever compiles, and does not stop the others', () => {
  const bad = validator(Type.Unsafe({ type: 'nothing' }), 'query')
  const good = validator(Type.Object({ b: Type.String() }), 'query')
  expect(() => compileNext()).toThrow('type')
  while (compileNext());
  expect(() => bad({})).toThrow('type')
  expect(() => good({ b: 1 })).toThrow('query.b must be string')
})
