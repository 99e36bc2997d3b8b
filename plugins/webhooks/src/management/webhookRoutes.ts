import { randomUUID } from 'node:crypto'
import {
  defineRoute,
  HttpError,
  type KeySecrets,
  MANAGEMENT_REFUSALS,
  MANAGEMENT_ROUTE,
  type ManagementGate,
  MessageSchema,
  parseTarget,
  type RequestContext,
  type Route,
  TargetRefused,
  type TargetRules,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { attemptDelivery, type DeliveryAttemptDeps, isDelivered } from '../delivery/deliveryAttempt.js'
import type { DeliveryLog } from '../delivery/deliveryLog.js'
import { customHeaders } from '../endpoint/customHeaders.js'
import type { Endpoint, EndpointStore } from '../endpoint/endpointStore.js'
import { shownAttempt, shownEndpoint } from './shownDelivery.js'
import { testEventBody } from './testEvent.js'
import { AttemptAnswer, EndpointAnswer, EndpointWithSecret, KeyParams } from './webhookSchemas.js'

export interface WebhookRoutesDeps {
  readonly gate: ManagementGate
  readonly endpoints: EndpointStore
  readonly log: DeliveryLog
  readonly secrets: KeySecrets
  readonly attempts: DeliveryAttemptDeps
}

export const WEBHOOK_PATH = '/dashboard/api/keys/:id/webhook'
export const NOT_FOUND = { 404: MessageSchema } as const

/** The endpoint of a key that the session may manage. Throws 404 without one. */
export const ownEndpoint = async (
  { gate, endpoints }: WebhookRoutesDeps,
  ctx: RequestContext,
  apiKeyId: string,
): Promise<Endpoint> => {
  const { id } = await gate.ownKey(ctx, apiKeyId)
  const endpoint = await endpoints.find(id)
  if (endpoint === null) throw new HttpError(404, 'This key has no webhook endpoint')
  return endpoint
}

/** As it is kept. Throws HttpError 400. */
const checkedUrl = (text: string, rules: TargetRules): string => {
  try {
    return parseTarget(text, rules).href
  } catch (error) {
    if (error instanceof TargetRefused) throw new HttpError(400, `url: ${error.message}`, { cause: error })
    throw error
  }
}

const readRoute = (deps: WebhookRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: WEBHOOK_PATH,
    summary: 'The webhook endpoint of a key',
    params: KeyParams,
    responses: { 200: EndpointAnswer, ...MANAGEMENT_REFUSALS, ...NOT_FOUND },
    authorize: deps.gate.member,
    handler: async ({ params, ctx }) => shownEndpoint(await ownEndpoint(deps, ctx, params.id)),
  })

const writeRoute = ({ gate, endpoints, attempts: { rules } }: WebhookRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'PUT',
    path: WEBHOOK_PATH,
    summary: 'Make or change the webhook endpoint of a key',
    description: 'A key has at most one. The answer shows the secret of a new one; it stays when the endpoint changes.',
    params: KeyParams,
    body: Type.Object({
      url: Type.String({ maxLength: 4096, description: 'HTTPS URL on the public internet that takes POST calls.' }),
      enabled: Type.Optional(Type.Boolean({ default: true, description: 'False: events are logged as parked.' })),
      headers: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          description: 'Added to every delivery: at most 20 and 4 KiB. Left out: those it had; {}: none.',
        }),
      ),
    }),
    responses: { 200: EndpointWithSecret, ...MANAGEMENT_REFUSALS, ...NOT_FOUND, 409: MessageSchema },
    authorize: gate.member,
    handler: async ({ params, body, ctx }) => {
      const key = await gate.ownKey(ctx, params.id)
      if (key.revoked) throw new HttpError(409, 'This key is revoked')
      const { endpoint, made } = await endpoints.put({
        apiKeyId: key.id,
        url: checkedUrl(body.url, rules),
        headers: body.headers === undefined ? null : customHeaders(body.headers),
        enabled: body.enabled ?? true,
        actor: gate.actor(ctx),
      })
      return { ...shownEndpoint(endpoint), ...(made ? { secret: endpoint.target.secret } : {}) }
    },
  })

const removeRoute = ({ gate, endpoints }: WebhookRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'DELETE',
    path: WEBHOOK_PATH,
    summary: 'Remove the webhook endpoint of a key; what waits for it is dropped',
    params: KeyParams,
    responses: { 200: Type.Object({ removed: Type.Boolean() }), ...MANAGEMENT_REFUSALS, ...NOT_FOUND },
    authorize: gate.member,
    handler: async ({ params, ctx }) => {
      const { id } = await gate.ownKey(ctx, params.id)
      return { removed: await endpoints.remove({ apiKeyId: id, actor: gate.actor(ctx) }) }
    },
  })

const secretRoute = (deps: WebhookRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'POST',
    path: `${WEBHOOK_PATH}/secret`,
    summary: 'Give the endpoint another secret; the one before is void at once',
    changes: true,
    secretAnswer: true,
    params: KeyParams,
    responses: { 200: Type.Object({ secret: Type.String() }), ...MANAGEMENT_REFUSALS, ...NOT_FOUND },
    authorize: deps.gate.member,
    handler: async ({ params, ctx }) => {
      const { apiKeyId } = await ownEndpoint(deps, ctx, params.id)
      const endpoint = await deps.endpoints.newSecret({ apiKeyId, actor: deps.gate.actor(ctx) })
      if (endpoint === null) throw new HttpError(404, 'This key has no webhook endpoint')
      return { secret: endpoint.target.secret }
    },
  })

const testRoute = (deps: WebhookRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'POST',
    path: `${WEBHOOK_PATH}/test`,
    summary: 'Send a test event to the endpoint now, once, and say what came of it',
    changes: true,
    params: KeyParams,
    responses: {
      200: Type.Object({ delivered: Type.Boolean(), try: AttemptAnswer }, { title: 'WebhookTest' }),
      ...MANAGEMENT_REFUSALS,
      ...NOT_FOUND,
      409: MessageSchema,
    },
    authorize: deps.gate.member,
    handler: async ({ params, ctx }) => {
      const { id, apiKeyId, target } = await ownEndpoint(deps, ctx, params.id)
      const apiKey = (await deps.secrets.secretsOf([apiKeyId])).get(apiKeyId)
      if (apiKey === undefined) throw new HttpError(409, 'This key is revoked')
      if (apiKey === null) throw new HttpError(503, 'This key cannot be opened now')
      const [eventId, body] = [randomUUID(), testEventBody(deps.attempts.clock.now())]
      const attempt = await attemptDelivery(deps.attempts, { target, apiKey, eventId, body })
      if (attempt === null) throw new HttpError(503, 'The service is stopping; try again')
      const delivered = isDelivered(attempt)
      await deps.log.add({ endpointId: id, eventId, body, attempt, delivered })
      return { delivered, try: shownAttempt(attempt) }
    },
  })

/** The endpoint of a key: read, made, changed, removed, tested. */
export const webhookRoutes = (deps: WebhookRoutesDeps): readonly Route[] => [
  readRoute(deps),
  writeRoute(deps),
  removeRoute(deps),
  secretRoute(deps),
  testRoute(deps),
]
