import type { Hex } from '@causeway/core'
import {
  type Caller,
  type DatabasePool,
  defineRoute,
  Hash32,
  HttpError,
  MessageSchema,
  ownsAs,
  type Route,
  toBytea,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'

export interface MetadataRouteDeps {
  readonly pool: DatabasePool
  readonly partnerKey: string
}

const FIND = {
  name: 'metadata_owner',
  text: `select r.integrator_id, f.external_metadata->>$2 as set from requests r left join request_facts f on f.request_id = r.id where r.id = $1
    union all select integrator_id, quoted::jsonb->'externalMetadata'->>$2 from quotes where id = $1 limit 1`,
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

/** Whether the caller's own interface may have made the request, though no key proves it: then what is set stays. */
const mayHaveMade = (caller: Caller, integratorId: string | null): boolean =>
  caller.kind === 'integrator' ? caller.proxied === true && caller.integratorId === integratorId : integratorId === null

/** The identifier in a body, however its name is capitalized: published clients differ. */
const identifierIn = (body: Readonly<Record<string, string>>, partnerKey: string): string | undefined =>
  Object.entries(body).find(([name]) => name.toLowerCase() === partnerKey.toLowerCase())?.[1]

/**
 * `POST /requests/metadata`: the partner's own identifier of a request (wire.md 2.10, K.3 7), before or after it is paid. The
 * integrator whose request it is sets and replaces it; an interface that sends no key of its own sets it once, on a request
 * made without a key or through the same proxy.
 */
export const metadataRoute = ({ pool, partnerKey }: MetadataRouteDeps): Route =>
  defineRoute({
    method: 'POST',
    path: '/requests/metadata',
    summary: "Set the partner's identifier of a request",
    tags: ['requests'],
    bucket: 'other',
    auth: 'optional',
    changes: true,
    body: Type.Object({
      requestId: Hash32(),
      additionalMetadata: Type.Record(Type.String({ maxLength: 64 }), Type.String({ minLength: 1, maxLength: 256 }), {
        description: `The identifier under \`${partnerKey}\`, in any capitalization.`,
        minProperties: 1,
        maxProperties: 1,
      }),
    }),
    responses: { 200: MessageSchema, 400: MessageSchema, 401: MessageSchema, 403: MessageSchema, 404: MessageSchema },
    handler: async ({ body, caller }) => {
      const id = toBytea(body.requestId.toLowerCase() as Hex)
      const value = identifierIn(body.additionalMetadata, partnerKey)
      if (value === undefined) throw new HttpError(400, `additionalMetadata has no "${partnerKey}"`)
      const { rows } = await pool.query<{ integrator_id: string | null; set: string | null }>({
        ...FIND,
        values: [id, partnerKey],
      })
      const [found] = rows
      if (found === undefined) throw new HttpError(404, 'No request has this id')
      if (!ownsAs(caller, found.integrator_id)) {
        if (!mayHaveMade(caller, found.integrator_id)) {
          throw new HttpError(403, 'The request was not made with a key of yours')
        }
        if (found.set !== null && found.set !== value) {
          throw new HttpError(403, 'It is set already; only the key that made the request may replace it')
        }
      }
      await pool.query({ ...SAVE, values: [id, JSON.stringify({ [partnerKey]: value })] })
      return { message: 'The metadata of the request is set' }
    },
  })
