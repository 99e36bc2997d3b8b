import { createHmac, timingSafeEqual } from 'node:crypto'

/** Headers of a request, in any case: of Node, or of a `Request`. */
export type WebhookHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null }

export interface VerifyOptions {
  /** How far the time of sending may lie from now, seconds. Default 300. */
  readonly toleranceSeconds?: number
  /** Unix milliseconds. Default: the machine's clock. */
  now?(): number
}

/** The call is not a webhook made with the secret, or too old. Answer it with a status that is not 2xx. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const TOLERANCE_SECONDS = 300
const SECRET_PREFIX = 'whsec_'
/** Unix times above it are milliseconds. */
const LARGEST_SECONDS = 100_000_000_000

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value = isFetchHeaders(headers) ? headers.get(name) : plainHeader(headers, name)
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing`)
  return value
}

const isFetchHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function'

const plainHeader = (headers: Exclude<WebhookHeaders, { get(name: string): string | null }>, name: string): unknown =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]

const isSame = (left: Buffer, right: Buffer): boolean => left.length === right.length && timingSafeEqual(left, right)

const checkAge = (timestamp: string, { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions): void => {
  if (!/^[0-9]{1,15}$/.test(timestamp)) throw new WebhookVerificationError('The time of sending cannot be read')
  const sent = Number(timestamp) > LARGEST_SECONDS ? Number(timestamp) : Number(timestamp) * 1000
  if (Math.abs(now() - sent) > toleranceSeconds * 1000) {
    throw new WebhookVerificationError('The time of sending is too far from now')
  }
}

const checkKeySignature = (body: string, headers: WebhookHeaders, apiKey: string, options: VerifyOptions): void => {
  const timestamp = headerOf(headers, 'x-signature-timestamp')
  const given = Buffer.from(headerOf(headers, 'x-signature-sha256'), 'hex')
  const expected = createHmac('sha256', apiKey).update(`${timestamp}.${body}`).digest()
  if (!isSame(given, expected)) throw new WebhookVerificationError('The signature does not match')
  checkAge(timestamp, options)
}

const checkStandardSignature = (
  body: string,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions,
): void => {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  const given = headerOf(headers, 'webhook-signature').split(' ')
  const matches = given.some((text) => text.startsWith('v1,') && isSame(Buffer.from(text.slice(3), 'base64'), expected))
  if (!matches) throw new WebhookVerificationError('The signature does not match')
  checkAge(timestamp, options)
}

/**
 * Checks that a webhook was sent by the holder of the secret and not long ago, and gives its parsed body. `rawBody` is the
 * body as it arrived. With the API key as secret the headers `X-Signature-*` are checked, with one that begins with `whsec_`
 * those of Standard Webhooks. Repeats of an event have the same `X-Event-Id`. @throws WebhookVerificationError
 */
export const verifyWebhook = (
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {},
): unknown => {
  if (secret === '') throw new WebhookVerificationError('There is no secret to check with')
  const body = typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8')
  const check = secret.startsWith(SECRET_PREFIX) ? checkStandardSignature : checkKeySignature
  check(body, headers, secret, options)
  try {
    return JSON.parse(body)
  } catch {
    throw new WebhookVerificationError('The body is not JSON')
  }
}
