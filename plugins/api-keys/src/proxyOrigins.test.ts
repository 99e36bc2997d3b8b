import { expect, it } from 'vitest'
import { proxyOrigins } from './proxyOrigins.js'

const key = '00000000-0000-4000-8000-00000000000A'

it('an origin is what browsers send', () => {
  const origins = [
    'https://app.example',
    'http://localhost:5173',
    'https://xn--bcher-kva.example:8443',
    'http://[::1]:80',
  ]
  expect(() => proxyOrigins(origins.map((origin) => ({ origin, key })))).toThrow('Write "http://[::1]"')
  const found = proxyOrigins(origins.slice(0, 3).map((origin) => ({ origin, key })))
  expect([...found]).toEqual(origins.slice(0, 3).map((origin) => [origin, key.toLowerCase()]))
})

it.each([
  ['https://app.example/', 'Write "https://app.example".'],
  ['https://app.example/path', 'Write "https://app.example".'],
  ['https://app.example:443', 'Write "https://app.example".'],
  ['https://APP.example', 'Write "https://app.example".'],
  ['https://user@app.example', 'Write "https://app.example".'],
  ['https://bücher.example', 'Write "https://xn--bcher-kva.example".'],
  ['app.example', 'Write scheme, host and port'],
  ['*', 'Write scheme, host and port'],
  ['https://*.example', 'no origin'],
  ['null', 'Write scheme, host and port'],
  ['file:///index.html', 'Write scheme, host and port'],
  ['', 'Write scheme, host and port'],
])('%s would never match and is refused', (origin, hint) => {
  expect(() => proxyOrigins([{ origin, key }])).toThrow(hint)
})

it('one origin has one key', () => {
  const listed = { origin: 'https://app.example', key }
  expect(() => proxyOrigins([listed, listed])).toThrow(/twice/)
})
