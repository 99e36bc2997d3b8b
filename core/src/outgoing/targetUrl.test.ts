import { describe, expect, it } from 'vitest'
import { parseTarget, TargetRefused } from './targetUrl.js'

const strict = { allowPrivate: false }
const refusal = (text: string, rules = strict): string | null => {
  try {
    parseTarget(text, rules)
    return null
  } catch (error) {
    if (error instanceof TargetRefused) return error.message
    throw error
  }
}

describe('URLs that users give (wire.md H.4, Webhook URL)', () => {
  it('are HTTPS on a usual port, kept in one spelling and without a fragment', () => {
    expect(parseTarget('https://Hooks.Example.com:443/a?b=c#d', strict).href).toBe('https://hooks.example.com/a?b=c')
    expect(parseTarget('https://example.com:8443/', strict).port).toBe('8443')
    expect(parseTarget('https://bücher.example/', strict).hostname).toBe('xn--bcher-kva.example')
    expect(parseTarget('https://8.8.8.8/', strict).hostname).toBe('8.8.8.8')
  })

  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    '//example.com',
    'example.com',
    '',
    'https://',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://example.com@10.0.0.1/',
    'https://example.com:22/',
    'https://example.com:25/',
    'https://example.com:80/',
    'https://example.com:99999/',
    'https://exam ple.com/',
    'https://example.com/\r\nx: y',
    'https://exa\tmple.com/',
    ' https://example.com/',
    `https://example.com/${'a'.repeat(2048)}`,
  ])('%j is refused', (text) => {
    expect(refusal(text)).not.toBeNull()
  })

  it.each([
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '0177.0.0.1',
    '2130706433',
    '017700000001',
    '①②⑦.0.0.1',
    '%31%32%37.0.0.1',
    '127。0。0。1',
    '0',
    '0.0.0.0',
    '10.1.2.3',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'metadata.google.internal',
    'printer.local',
    'router',
    'intranet.',
  ])('the local host %s is refused in every spelling, unless private targets are allowed', (host) => {
    expect(refusal(`https://${host}/`)).toMatch(/public internet/)
    expect(refusal(`https://${host}/`, { allowPrivate: true })).toBeNull()
  })

  it('a refusal repeats nothing of the URL (faults.md F96)', () => {
    expect(refusal('https://hook:hunter2@example.com/secret-path')).not.toMatch(/hunter2|secret-path|example/)
  })
})
