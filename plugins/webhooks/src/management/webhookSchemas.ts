import { type TSchema, Type } from '@sinclair/typebox'

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const TimeText = () => Type.String({ examples: ['2026-01-31T12:00:00.000Z'] })
export const KeyParams = Type.Object({ id: Type.String({ pattern: UUID, description: 'Id of the API key.' }) })
export const DeliveryId = () => Type.String({ pattern: '^[0-9]{1,18}$', description: 'Id of the delivery.' })
export const DeliveryParams = Type.Object({ ...KeyParams.properties, delivery: DeliveryId() })

const endpoint = {
  url: Type.String(),
  enabled: Type.Boolean(),
  disabledReason: Nullable(
    Type.String({ description: '`failing` or `key revoked` where the service turned it off, else null.' }),
  ),
  failingSince: Nullable(TimeText()),
  headers: Type.Array(Type.String(), { description: 'Names of the custom headers; their values are not shown.' }),
  createdAt: TimeText(),
  changedAt: TimeText(),
}

export const EndpointAnswer = Type.Object(endpoint, { title: 'WebhookEndpoint' })
export const EndpointWithSecret = Type.Object(
  { ...endpoint, secret: Type.Optional(Type.String({ description: 'Shown when it is made, and by no other call.' })) },
  { title: 'WebhookEndpointWithSecret' },
)

export const AttemptAnswer = Type.Object(
  {
    at: TimeText(),
    milliseconds: Type.Integer(),
    status: Nullable(Type.Integer()),
    error: Nullable(Type.String()),
    answer: Nullable(Type.String({ description: 'The start of the answer.' })),
  },
  { title: 'WebhookTry' },
)

const delivery = {
  id: Type.String(),
  state: Type.String({ description: '`waiting`, `delivered` or `parked`.' }),
  reason: Nullable(Type.String({ description: 'Why it was parked.' })),
  requestId: Nullable(Type.String()),
  eventId: Type.String(),
  status: Type.String(),
  eventAt: TimeText(),
  queuedAt: TimeText(),
  endedAt: Nullable(TimeText()),
  nextAt: Nullable(TimeText()),
  replayOf: Nullable(Type.String()),
  replayed: Type.Boolean({ description: 'Whether it was sent again since.' }),
  tries: Type.Array(AttemptAnswer),
}

export const DeliveryAnswer = Type.Object(delivery, { title: 'WebhookDelivery' })
export const DeliveryWithBody = Type.Object(
  { ...delivery, body: Type.String({ description: 'The body that is sent, as it is.' }) },
  { title: 'WebhookDeliveryWithBody' },
)
