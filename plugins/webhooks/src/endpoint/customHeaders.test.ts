import { HttpError } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { customHeaders } from './customHeaders.js'

describe('custom headers (wire.md H.4)', () => {
  it('are kept with names in small letters', () => {
    expect(customHeaders({ 'X-Shop': 'north wing', Authorization: 'Bearer abc' })).toEqual({
      'x-shop': 'north wing',
      authorization: 'Bearer abc',
    })
  })

  it.each([
    'Host',
    'content-length',
    'Content-Type',
    'content-encoding',
    'transfer-encoding',
    'connection',
    'expect',
    'X-Signature-SHA256',
    'x-signature-timestamp',
    'X-Event-Id',
    'webhook-id',
    'Webhook-Signature',
    'proxy-authorization',
  ])('cannot set %s', (name) => {
    expect(() => customHeaders({ [name]: 'x' })).toThrow(HttpError)
  })

  it.each([
    ['a line break in a value', { a: 'b\r\nhost: evil' }],
    ['a lone line feed', { a: 'b\nc' }],
    ['a NUL', { a: 'b\0' }],
    ['a letter beyond ASCII', { a: 'é' }],
    ['an empty value', { a: '' }],
    ['blanks around a value', { a: ' b ' }],
    ['a colon in a name', { 'a: b': 'c' }],
    ['a line break in a name', { 'a\r\nb': 'c' }],
    ['an empty name', { '': 'c' }],
    ['a name twice', { A: 'b', a: 'c' }],
    ['21 of them', Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`x-${at}`, 'v']))],
    ['more than 4 KiB', { a: 'x'.repeat(4096) }],
  ])('%s is refused', (_, headers) => {
    expect(() => customHeaders(headers)).toThrow(HttpError)
  })

  it('a refusal repeats no value (faults.md F96)', () => {
    expect(() => customHeaders({ a: 'hunter2\n' })).toThrow(/^(?!.*hunter2)/)
  })
})
