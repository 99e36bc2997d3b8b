import type { Static } from '@sinclair/typebox'
import type { DeliveryAttempt } from '../delivery/deliveryAttempt.js'
import type { LoggedDelivery } from '../delivery/deliveryLog.js'
import type { Endpoint } from '../endpoint/endpointStore.js'
import type { AttemptAnswer, DeliveryAnswer, EndpointAnswer } from './webhookSchemas.js'

const timeText = (time: Date | null): string | null => time?.toISOString() ?? null

export const shownEndpoint = (endpoint: Endpoint): Static<typeof EndpointAnswer> => ({
  url: endpoint.target.url,
  enabled: endpoint.enabled,
  disabledReason: endpoint.disabledReason,
  failingSince: timeText(endpoint.failingSince),
  headers: Object.keys(endpoint.target.headers),
  createdAt: endpoint.createdAt.toISOString(),
  changedAt: endpoint.changedAt.toISOString(),
})

export const shownAttempt = ({ at, ms, status, error, answer }: DeliveryAttempt): Static<typeof AttemptAnswer> => ({
  at: new Date(at).toISOString(),
  milliseconds: ms,
  status,
  error,
  answer,
})

export const shownDelivery = (delivery: LoggedDelivery): Static<typeof DeliveryAnswer> => ({
  id: String(delivery.id),
  state: delivery.state,
  reason: delivery.reason,
  requestId: delivery.requestId === '0x' ? null : delivery.requestId,
  eventId: delivery.eventId,
  status: delivery.status,
  eventAt: delivery.eventAt.toISOString(),
  queuedAt: delivery.queuedAt.toISOString(),
  endedAt: timeText(delivery.endedAt),
  nextAt: timeText(delivery.nextAt),
  replayOf: delivery.replayOf === null ? null : String(delivery.replayOf),
  replayed: delivery.replayed,
  tries: delivery.tries.map(shownAttempt),
})
