import type { Hex } from '@causeway/core'
import {
  defineRoute,
  HttpError,
  MessageSchema,
  type RequestReader,
  type RequestStatusView,
  type Route,
} from '@causeway/core/plugin'
import type { TSchema } from '@sinclair/typebox'
import type { Names } from './fundsText.js'
import { statusBodyLegacy, statusBodyV2, statusBodyV3 } from './statusBody.js'
import { StatusLegacy, StatusQuery, StatusV2, StatusV3 } from './statusSchemas.js'

export interface StatusRouteDeps {
  readonly requests: RequestReader
  readonly currencies: Names
  /** Words of `/intents/status` (wire.md K.2 8). */
  readonly statusV1Words: 'v3' | 'legacy'
}

interface Surface {
  readonly path: string
  readonly schema: TSchema
  body(view: RequestStatusView, names: Names): object
}

const surfacesOf = (words: 'v3' | 'legacy'): readonly Surface[] => [
  { path: '/intents/status/v3', schema: StatusV3, body: statusBodyV3 },
  { path: '/intents/status/v2', schema: StatusV2, body: statusBodyV2 },
  words === 'legacy'
    ? { path: '/intents/status', schema: StatusLegacy, body: statusBodyLegacy }
    : { path: '/intents/status', schema: StatusV3, body: statusBodyV3 },
]

/**
 * The three status operations, which differ in their words only. A missing or malformed id is 400, an unknown one 404
 * `{message}` (wire.md H.3).
 */
export const statusRoutes = ({ requests, currencies, statusV1Words }: StatusRouteDeps): readonly Route[] =>
  surfacesOf(statusV1Words).map(({ path, schema, body }) =>
    defineRoute({
      method: 'GET',
      path,
      summary: 'Status of a request',
      tags: ['intents'],
      bucket: 'status',
      auth: 'optional',
      query: StatusQuery,
      responses: { 200: schema, 400: MessageSchema, 404: MessageSchema },
      handler: async ({ query }) => {
        const view = await requests.findStatus(query.requestId.toLowerCase() as Hex)
        if (view === null) throw new HttpError(404, 'No request has this id')
        return body(view, currencies)
      },
    }),
  )
