import {
  defineRoute,
  HttpError,
  MANAGEMENT_REFUSALS,
  MANAGEMENT_ROUTE,
  MessageSchema,
  type Route,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { shownDelivery } from './shownDelivery.js'
import { NOT_FOUND, ownEndpoint, WEBHOOK_PATH, type WebhookRoutesDeps } from './webhookRoutes.js'
import { DeliveryAnswer, DeliveryId, DeliveryParams, DeliveryWithBody, KeyParams, Nullable } from './webhookSchemas.js'

const MOST_REPLAYED = 10_000
/** The year 9999: beyond it a date has no usual text. */
const MAX_SECONDS = 253_402_300_799

const noDelivery = () => new HttpError(404, 'There is no such delivery')
const isOff = () => new HttpError(409, 'The endpoint is turned off; enable it first')

const listRoute = (deps: WebhookRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: `${WEBHOOK_PATH}/deliveries`,
    summary: 'Deliveries of the endpoint with every attempt, newest first',
    params: KeyParams,
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Most entries.' })),
      cursor: Type.Optional(DeliveryId()),
      state: Type.Optional(
        Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('parked')], {
          description: 'Only those.',
        }),
      ),
    }),
    responses: {
      200: Type.Object({ deliveries: Type.Array(DeliveryAnswer), nextCursor: Nullable(Type.String()) }),
      ...MANAGEMENT_REFUSALS,
      ...NOT_FOUND,
    },
    authorize: deps.gate.member,
    handler: async ({ params, query: { limit = 50, cursor, state }, ctx }) => {
      const { id: endpointId } = await ownEndpoint(deps, ctx, params.id)
      const found = await deps.log.list({
        endpointId,
        limit,
        ...(cursor === undefined ? {} : { before: BigInt(cursor) }),
        ...(state === undefined ? {} : { state }),
      })
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      return { deliveries: page.map(shownDelivery), nextCursor: last === undefined ? null : String(last.id) }
    },
  })

const readRoute = (deps: WebhookRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: `${WEBHOOK_PATH}/deliveries/:delivery`,
    summary: 'One delivery with its body',
    params: DeliveryParams,
    responses: { 200: DeliveryWithBody, ...MANAGEMENT_REFUSALS, ...NOT_FOUND },
    authorize: deps.gate.member,
    handler: async ({ params, ctx }) => {
      const { id } = await ownEndpoint(deps, ctx, params.id)
      const delivery = await deps.log.find(id, BigInt(params.delivery))
      if (delivery === null) throw noDelivery()
      return { ...shownDelivery(delivery), body: delivery.body }
    },
  })

const replayRoute = (deps: WebhookRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'POST',
    path: `${WEBHOOK_PATH}/deliveries/:delivery/replay`,
    summary: 'Send a delivery that is over again, with the same event id and body',
    changes: true,
    params: DeliveryParams,
    responses: {
      200: Type.Object({ id: Type.String({ description: 'Id of the new delivery.' }) }),
      ...MANAGEMENT_REFUSALS,
      ...NOT_FOUND,
      409: MessageSchema,
    },
    authorize: deps.gate.member,
    handler: async ({ params, ctx }) => {
      const { id: endpointId, enabled } = await ownEndpoint(deps, ctx, params.id)
      const delivery = await deps.log.find(endpointId, BigInt(params.delivery))
      if (delivery === null) throw noDelivery()
      if (!enabled) throw isOff()
      if (delivery.state === 'waiting') throw new HttpError(409, 'This delivery is not over yet')
      const id = await deps.log.replay(endpointId, delivery.id)
      if (id === null) throw new HttpError(409, 'A test cannot be sent again; send another')
      return { id: String(id) }
    },
  })

const rangeRoute = (deps: WebhookRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'POST',
    path: `${WEBHOOK_PATH}/replay`,
    summary: 'Send the events of a time again, oldest first',
    description: `At most ${MOST_REPLAYED} with one call; the next one takes \`nextCursor\` as its \`cursor\`, until that is null.`,
    changes: true,
    params: KeyParams,
    body: Type.Object({
      startTimestamp: Type.Integer({ minimum: 0, maximum: MAX_SECONDS, description: 'Unix seconds, included.' }),
      endTimestamp: Type.Integer({ minimum: 0, maximum: MAX_SECONDS, description: 'Unix seconds, excluded.' }),
      deliveries: Type.Optional(
        Type.Union([Type.Literal('parked'), Type.Literal('all')], {
          default: 'parked',
          description: 'Those that never arrived, or those that did as well.',
        }),
      ),
      cursor: Type.Optional(DeliveryId()),
    }),
    responses: {
      200: Type.Object({ queued: Type.Integer(), nextCursor: Nullable(Type.String()) }, { title: 'WebhookReplay' }),
      ...MANAGEMENT_REFUSALS,
      ...NOT_FOUND,
      409: MessageSchema,
    },
    authorize: deps.gate.member,
    handler: async ({ params, body, ctx }) => {
      const { id: endpointId, enabled } = await ownEndpoint(deps, ctx, params.id)
      if (!enabled) throw isOff()
      const { queued, last } = await deps.log.replayRange({
        endpointId,
        from: new Date(body.startTimestamp * 1000),
        to: new Date(body.endTimestamp * 1000),
        all: body.deliveries === 'all',
        ...(body.cursor === undefined ? {} : { after: BigInt(body.cursor) }),
        limit: MOST_REPLAYED,
      })
      return { queued, nextCursor: last === null ? null : String(last) }
    },
  })

/** What was sent to the endpoint of a key, and how it is sent again. */
export const deliveryRoutes = (deps: WebhookRoutesDeps): readonly Route[] => [
  listRoute(deps),
  readRoute(deps),
  replayRoute(deps),
  rangeRoute(deps),
]
