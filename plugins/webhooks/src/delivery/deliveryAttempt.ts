import type { Clock } from '@causeway/core'
import { OutgoingError, type OutgoingHttp, parseTarget, TargetRefused, type TargetRules } from '@causeway/core/plugin'
import type { EndpointTarget } from '../endpoint/endpointStore.js'
import { deliveryHeaders } from './deliveryHeaders.js'

export interface DeliveryAttemptDeps {
  readonly http: OutgoingHttp
  readonly clock: Clock
  readonly rules: TargetRules
  readonly timeoutMs: number
  readonly timestampUnit: 'seconds' | 'milliseconds'
}

export interface DeliveryAttemptInput {
  readonly target: EndpointTarget
  readonly apiKey: string
  readonly eventId: string
  readonly body: string
  readonly signal?: AbortSignal
}

/** One call of a receiver, as the log keeps it. */
export interface DeliveryAttempt {
  /** Unix milliseconds. */
  readonly at: number
  readonly ms: number
  /** Null where there was no answer. */
  readonly status: number | null
  readonly error: string | null
  /** The start of the answer's body. */
  readonly answer: string | null
}

const ANSWER_CHARACTERS = 500
/** What the database cannot keep, or a terminal should not show: a lone half of a surrogate pair too. */
const CONTROLS = /[\p{Cc}\p{Cs}]/gu

export const isDelivered = ({ status }: DeliveryAttempt): boolean => status !== null && status >= 200 && status < 300

/** Sends one delivery once. Any 2xx is success, a redirect is not followed. Null when the service stopped meanwhile. */
export const attemptDelivery = async (
  deps: DeliveryAttemptDeps,
  input: DeliveryAttemptInput,
): Promise<DeliveryAttempt | null> => {
  const { http, clock, rules, timeoutMs, timestampUnit } = deps
  const { target, apiKey, eventId, body, signal } = input
  const at = clock.now()
  const started = performance.now()
  const attempted = (more: Pick<DeliveryAttempt, 'status' | 'error' | 'answer'>): DeliveryAttempt => ({
    at,
    ms: Math.round(performance.now() - started),
    ...more,
  })
  try {
    const answer = await http.post({
      url: parseTarget(target.url, rules),
      headers: {
        ...target.headers,
        ...deliveryHeaders({ eventId, body, at, apiKey, secret: target.secret, timestampUnit }),
      },
      body,
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    })
    // Cut first: the cut may halve a pair.
    const text = answer.text.slice(0, ANSWER_CHARACTERS).replace(CONTROLS, ' ')
    return attempted({ status: answer.status, error: null, answer: text === '' ? null : text })
  } catch (error) {
    if (error instanceof OutgoingError && error.failure === 'stopped') return null
    if (error instanceof OutgoingError || error instanceof TargetRefused) {
      return attempted({ status: null, error: error.message, answer: null })
    }
    throw error
  }
}
