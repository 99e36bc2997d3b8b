import { describe, expect, it } from 'vitest'
import { isFromHere, requireJson, requireLocal } from './localCalls.js'

const HOST = '127.0.0.1:3000'

describe('calls of this machine and of the sandbox’s own page', () => {
  it.each([
    ['a program', '127.0.0.1', { host: HOST }],
    ['a program over IPv6', '::1', { host: '[::1]:3000' }],
    ['a listener of both families', '::ffff:127.0.0.1', { host: 'localhost:3000' }],
    ['its page', '127.0.0.1', { host: HOST, origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' }],
    ['its page by name', '127.0.0.1', { host: 'LocalHost:3000', origin: 'http://localhost:3000' }],
    ['an address that a person typed', '127.0.0.1', { host: HOST, 'sec-fetch-site': 'none' }],
  ])('%s is served', (_who, ip, headers) => {
    expect(() => requireLocal({ ip, headers })).not.toThrow()
  })

  it.each([
    ['another machine', '192.168.1.7', { host: HOST }, 'this machine only'],
    ['a name that was pointed here', '127.0.0.1', { host: 'evil.example:3000' }, 'another name'],
    ['a name that only begins so', '127.0.0.1', { host: '127.0.0.1.evil.example' }, 'another name'],
    ['no name', '127.0.0.1', {}, 'another name'],
    ['a page of somebody else', '127.0.0.1', { host: HOST, origin: 'https://evil.example' }, 'another origin'],
    ['a page of another port', '127.0.0.1', { host: HOST, origin: 'http://127.0.0.1:8080' }, 'another origin'],
    ['a page in a sandboxed frame', '127.0.0.1', { host: HOST, origin: 'null' }, 'another origin'],
    ['an image on a page', '127.0.0.1', { host: HOST, 'sec-fetch-site': 'cross-site' }, 'another origin'],
    ['a page of the same site', '127.0.0.1', { host: HOST, 'sec-fetch-site': 'same-site' }, 'another origin'],
  ])('%s is refused', (_who, ip, headers, message) => {
    expect(() => requireLocal({ ip, headers })).toThrow(expect.objectContaining({ status: 403 }))
    expect(() => requireLocal({ ip, headers })).toThrow(message)
  })

  it.each([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['text/plain', false],
    ['application/jsonp', false],
    [undefined, false],
  ])('a form cannot send what must be %s', (type, taken) => {
    const check = () => requireJson({ headers: type === undefined ? {} : { 'content-type': type } })
    if (taken) expect(check).not.toThrow()
    else expect(check).toThrow(expect.objectContaining({ status: 415 }))
  })
})

describe('calls that get the demo key', () => {
  it.each([
    ['a program', '127.0.0.1', { host: HOST }],
    ['a program over IPv6', '::1', { host: '[::1]:3000' }],
    ['the sandbox’s own page', '127.0.0.1', { host: HOST, 'sec-fetch-site': 'same-origin' }],
    ['an application on another port', '127.0.0.1', { host: HOST, origin: 'http://localhost:5173' }],
    ['an application with TLS', '127.0.0.1', { host: HOST, origin: 'https://[::1]:8443' }],
  ])('%s', (_who, ip, headers) => {
    expect(isFromHere({ ip, headers })).toBe(true)
  })

  it.each([
    ['another machine', '192.168.1.7', { host: HOST }],
    ['another machine that forwards', '192.168.1.7', { host: HOST, 'x-forwarded-for': '127.0.0.1' }],
    ['a name that was pointed here', '127.0.0.1', { host: 'evil.example:3000' }],
    ['a page of another machine', '127.0.0.1', { host: HOST, origin: 'https://evil.example' }],
    ['a page whose name only begins so', '127.0.0.1', { host: HOST, origin: 'http://localhost.evil.example' }],
    ['a page in a sandboxed frame', '127.0.0.1', { host: HOST, origin: 'null' }],
    ['an image on a page', '127.0.0.1', { host: HOST, 'sec-fetch-site': 'cross-site' }],
    ['a proxy on this machine', '127.0.0.1', { host: HOST, 'x-forwarded-for': '203.0.113.7' }],
    ['a proxy that says so by the standard', '127.0.0.1', { host: HOST, forwarded: 'for=203.0.113.7' }],
    ['a proxy that names itself alone', '127.0.0.1', { host: HOST, via: '1.1 tunnel' }],
  ])('not %s', (_who, ip, headers) => {
    expect(isFromHere({ ip, headers })).toBe(false)
  })
})
