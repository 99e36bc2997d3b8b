import { createHmac, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const SECRET_PREFIX = 'whsec_'

/** A secret as Standard Webhooks writes it. */
export const newWebhookSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

export interface SignedDelivery {
  readonly eventId: string
  readonly body: string
  /** Unix milliseconds of this attempt. */
  readonly at: number
  readonly apiKey: string
  /** `whsec_...` */
  readonly secret: string
  /** What `X-Signature-Timestamp` counts in (wire.md H.4). */
  readonly timestampUnit: 'seconds' | 'milliseconds'
}

const seconds = (milliseconds: number): string => String(Math.floor(milliseconds / 1000))

/**
 * The headers that say what a delivery is and prove who sent it: those of wire.md 5.2, signed with the API key, and those
 * of Standard Webhooks, signed with the endpoint's own secret. Made anew for each attempt.
 */
export const deliveryHeaders = (delivery: SignedDelivery): Readonly<Record<string, string>> => {
  const { eventId, body, at, apiKey, secret, timestampUnit } = delivery
  const timestamp = timestampUnit === 'seconds' ? seconds(at) : String(at)
  const standardKey = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const standard = createHmac('sha256', standardKey)
    .update(`${eventId}.${seconds(at)}.${body}`)
    .digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'Causeway-Webhooks',
    'x-event-id': eventId,
    'x-signature-timestamp': timestamp,
    'x-signature-sha256': createHmac('sha256', apiKey).update(`${timestamp}.${body}`).digest('hex'),
    'webhook-id': eventId,
    'webhook-timestamp': seconds(at),
    'webhook-signature': `v1,${standard}`,
  }
}
