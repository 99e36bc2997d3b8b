/** An endpoint as `GET /dashboard/api/keys/{id}/webhook` shows it. */
export interface Endpoint {
  readonly url: string
  readonly enabled: boolean
  readonly disabledReason: string | null
  readonly failingSince: string | null
  readonly headers: readonly string[]
  readonly createdAt: string
  readonly changedAt: string
}

export interface Attempt {
  readonly at: string
  readonly milliseconds: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}

export interface Delivery {
  readonly id: string
  readonly state: string
  readonly reason: string | null
  readonly requestId: string | null
  readonly eventId: string
  readonly status: string
  readonly eventAt: string
  readonly queuedAt: string
  readonly endedAt: string | null
  readonly nextAt: string | null
  readonly replayOf: string | null
  readonly replayed: boolean
  readonly tries: readonly Attempt[]
}

/** Whether a delivery is offered with others to be sent again: it is over, no test, and was not sent again yet. */
export const canReplay = ({ state, requestId, replayed }: Delivery): boolean =>
  state !== 'waiting' && requestId !== null && !replayed

export const webhookPath = (keyId: string): string => `/dashboard/api/keys/${encodeURIComponent(keyId)}/webhook`
