import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { clientAddressReader } from './clientAddress.js'

const PROXY = '10.0.0.1'

/** The client of a request over one trusted proxy, and how often the reader reported a hop that it cannot read. */
const clientOf = (headers: Readonly<Record<string, string>>, from = PROXY) => {
  let reports = 0
  const read = clientAddressReader(['10.0.0.0/8', 'fd00::/8', 'fe80::/10'], () => {
    reports += 1
  })
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: from })
  const request = Object.assign(new IncomingMessage(socket), { headers })
  read(request)
  return [read(request), reports]
}

describe('the address of a client behind a trusted proxy (faults.md F169)', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:50123', '192.0.2.7'],
    ['[2001:db8::7]:50123', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['2001:db8::7%eth0', '2001:db8::7'],
    ['[2001:db8::7%25eth0]:443', '2001:db8::7'],
    ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
    ['6.6.6.6, 192.0.2.7:1, 10.0.0.9:2, [fd00::1]:3', '192.0.2.7'],
  ])('x-forwarded-for: %s', (header, client) => {
    expect(clientOf({ 'x-forwarded-for': header })).toEqual([client, 0])
  })

  it.each([
    ['for=192.0.2.7', '192.0.2.7'],
    ['For="192.0.2.7:4711"', '192.0.2.7'],
    ['for="[2001:db8::7]:4711";proto=https;by=203.0.113.43', '2001:db8::7'],
    ['for=6.6.6.6, proto=https;for=192.0.2.7;host="a, b;for=1.1.1.1", for=10.0.0.9', '192.0.2.7'],
  ])('Forwarded (RFC 7239): %s', (header, client) => {
    expect(clientOf({ forwarded: header })).toEqual([client, 0])
  })

  it.each(['unknown', '_hidden', '', '2001:db8:0:0:0:0:0:7:443', '192.0.2.7:port', '192.0.2.777', '[192.0.2.7'])(
    'counts the proxy itself, with one report, where a hop cannot be read: %j',
    (hop) => {
      expect(clientOf({ 'x-forwarded-for': `6.6.6.6, ${hop}` })).toEqual([PROXY, 1])
      expect(clientOf({ 'x-forwarded-for': `${hop}, 10.0.0.9` })).toEqual(['10.0.0.9', 1])
      expect(clientOf({ forwarded: `for=6.6.6.6, for="${hop}"` })).toEqual([PROXY, 1])
    },
  )

  it.each([
    'for=6.6.6.6;x=", for="[2001:db8::9]"',
    'for=6.6.6.6;x=", for=192.0.2.7;host="a"',
    'for="6.6.6.6, for=192.0.2.7',
    'for=6.6.6.6 for=192.0.2.7',
  ])('lets no open quote of a client swallow the hop of a proxy: %s', (header) => {
    expect(clientOf({ forwarded: header })).toEqual([PROXY, 1])
  })

  it('counts the proxy where its two headers name different clients', () => {
    expect(clientOf({ 'x-forwarded-for': '192.0.2.7', forwarded: 'for="192.0.2.7:99"' })).toEqual(['192.0.2.7', 0])
    expect(clientOf({ 'x-forwarded-for': '192.0.2.7', forwarded: 'for=6.6.6.6' })).toEqual([PROXY, 1])
    expect(clientOf({ 'x-forwarded-for': '192.0.2.7', forwarded: 'for=unknown' })).toEqual([PROXY, 1])
  })

  it('believes no header of others, and gives a link-local client one address', () => {
    expect(clientOf({ 'x-forwarded-for': '192.0.2.7' }, '203.0.113.5')).toEqual(['203.0.113.5', 0])
    expect(clientOf({}, 'fe80::5%eth0')).toEqual(['fe80::5', 0])
    expect(clientOf({ 'x-forwarded-for': '192.0.2.7' }, 'fe80::5%eth0')).toEqual(['192.0.2.7', 0])
  })
})
