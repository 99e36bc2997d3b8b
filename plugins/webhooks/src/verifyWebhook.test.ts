import { describe, expect, it } from 'vitest'
import { deliveryHeaders, newWebhookSecret } from './delivery/deliveryHeaders.js'
import { verifyWebhook, WebhookVerificationError } from './verifyWebhook.js'

const AT = 1_800_000_000_000
const apiKey = 'cct_test_0123456789'
const secret = newWebhookSecret()
const body = '{"event":"request.status.updated","data":{"note":"é"}}'
const headersAt = (at: number, timestampUnit: 'seconds' | 'milliseconds' = 'seconds') =>
  deliveryHeaders({ eventId: '0b0e9a2c-77c0-8c11-8000-000000000001', body, at, apiKey, secret, timestampUnit })
const options = { now: () => AT }

describe('verifyWebhook (wire.md 5.2)', () => {
  it.each([
    ['the API key', apiKey],
    ['the secret of the endpoint', secret],
  ])('accepts what was signed with %s, from text or bytes, with headers of Node or of fetch in any case', (_, key) => {
    const headers = headersAt(AT)
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    for (const given of [headers, upper, new Headers(headers)]) {
      expect(verifyWebhook(body, given, key, options)).toEqual(JSON.parse(body))
      expect(verifyWebhook(Buffer.from(body), given, key, options)).toEqual(JSON.parse(body))
    }
  })

  it('reads a time of sending in milliseconds as well', () => {
    expect(verifyWebhook(body, headersAt(AT, 'milliseconds'), apiKey, options)).toEqual(JSON.parse(body))
  })

  const changed = (name: string, value: string) => ({ ...headersAt(AT), [name]: value })
  const refused: readonly (readonly [string, () => unknown])[] = [
    ['another body', () => verifyWebhook(`${body} `, headersAt(AT), apiKey, options)],
    ['another body, standard', () => verifyWebhook(`${body} `, headersAt(AT), secret, options)],
    ['another key', () => verifyWebhook(body, headersAt(AT), `${apiKey}0`, options)],
    ['another secret', () => verifyWebhook(body, headersAt(AT), newWebhookSecret(), options)],
    ['no secret', () => verifyWebhook(body, headersAt(AT), '', options)],
    ['another time', () => verifyWebhook(body, changed('x-signature-timestamp', '1800000001'), apiKey, options)],
    ['another id', () => verifyWebhook(body, changed('webhook-id', 'other'), secret, options)],
    ['no signature', () => verifyWebhook(body, {}, apiKey, options)],
    ['an empty signature', () => verifyWebhook(body, changed('x-signature-sha256', ''), apiKey, options)],
    ['half a signature', () => verifyWebhook(body, changed('x-signature-sha256', 'ab'), apiKey, options)],
    ['no hex', () => verifyWebhook(body, changed('x-signature-sha256', 'zz'.repeat(32)), apiKey, options)],
    ['an old call', () => verifyWebhook(body, headersAt(AT - 301_000), apiKey, options)],
    ['an old call, standard', () => verifyWebhook(body, headersAt(AT - 301_000), secret, options)],
    ['a call of the future', () => verifyWebhook(body, headersAt(AT + 301_000), apiKey, options)],
  ]
  it.each(refused)('refuses %s', (_, verify) => {
    expect(verify).toThrow(WebhookVerificationError)
  })

  it('accepts any of several signatures, as during a change of the secret', () => {
    const several = `v1,AAAA ${headersAt(AT)['webhook-signature']} v2,x`
    expect(verifyWebhook(body, changed('webhook-signature', several), secret, options)).toEqual(JSON.parse(body))
  })
})
