import { expect, it } from 'vitest'
import { isLoopback, loopbackOrigin } from './loopback.js'

const local = { host: '127.0.0.1', tls: false }

it.each([
  [local, 'localhost:3000', 'http://localhost:3000'],
  [local, 'LOCALHOST:3000', 'http://localhost:3000'],
  [{ host: '::1', tls: true }, '127.0.0.1', 'https://127.0.0.1'],
  [local, 'evil.example', null],
  [local, '127.0.0.1.evil.example', null],
  [local, '127.0.0.1:99999', null],
  [local, undefined, null],
  [{ host: '0.0.0.0', tls: false }, '127.0.0.1', null],
  [undefined, '127.0.0.1', null],
] as const)(
  'on %j, asked for as %s, the origin is %s: a name of this machine on a listener of this machine',
  (listener, host, origin) => {
    expect(loopbackOrigin(listener, host === undefined ? {} : { host })).toBe(origin)
  },
)

it('an address that others reach is none of this machine', () => {
  expect(['localhost', '127.0.0.1', '127.9.9.9', '::1'].map(isLoopback)).toEqual([true, true, true, true])
  expect(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example', 'host'].some(isLoopback)).toBe(false)
})
