import {
  type DatabasePool,
  defineRoute,
  Hash32,
  type Hex,
  HttpError,
  MessageSchema,
  ownsAs,
  type Route,
  toBytea,
} from '@causeway/core'
import { Type } from '@sinclair/typebox'

export interface MetadataRouteDeps {
  readonly pool: DatabasePool
  readonly partnerKey: string
}

const FIND = {
  name: 'metadata_owner',
  text: `select integrator_id from requests where id = $1 union all select integrator_id from quotes where id = $1 limit 1`,
}

/** Kept with the quote too, so that what is set before the deposit comes along with it. */
const SAVE = {
  name: 'metadata_save',
  text: `with q as (
      update quotes set quoted = (quoted::jsonb || jsonb_build_object('externalMetadata',
        coalesce(quoted::jsonb->'externalMetadata', '{}') || $2::jsonb))::text where id = $1
    )
    update request_facts set external_metadata = coalesce(external_metadata, '{}') || $2::jsonb where request_id = $1`,
}

/**
 * `POST /requests/metadata`: the partner's own identifier of a request (wire.md 2.10, K.3 7), set by the integrator whose
 * request it is, before or after it is paid; a second one replaces the first.
 */
export const metadataRoute = ({ pool, partnerKey }: MetadataRouteDeps): Route =>
  defineRoute({
    method: 'POST',
    path: '/requests/metadata',
    summary: "Set the partner's identifier of a request",
    tags: ['requests'],
    bucket: 'other',
    auth: 'required',
    changes: true,
    body: Type.Object({
      requestId: Hash32(),
      additionalMetadata: Type.Object({ [partnerKey]: Type.String({ minLength: 1, maxLength: 256 }) }),
    }),
    responses: { 200: MessageSchema, 400: MessageSchema, 401: MessageSchema, 403: MessageSchema, 404: MessageSchema },
    handler: async ({ body, caller }) => {
      const id = toBytea(body.requestId.toLowerCase() as Hex)
      const { rows } = await pool.query<{ integrator_id: string | null }>({ ...FIND, values: [id] })
      const [found] = rows
      if (found === undefined) throw new HttpError(404, 'No request has this id')
      if (!ownsAs(caller, found.integrator_id)) {
        throw new HttpError(403, 'The request was not made with a key of yours')
      }
      const value = body.additionalMetadata[partnerKey]
      await pool.query({ ...SAVE, values: [id, JSON.stringify({ [partnerKey]: value })] })
      return { message: 'The metadata of the request is set' }
    },
  })
