import { defineRoute, HttpError, MessageSchema, type Route } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { type Deprecation, MovedSchema, TooManySchema } from './deprecation.js'
import { GUIDE_PATH } from './options.js'
import { LegacyQuery, RequestsV2Query } from './query/requestsV2Query.js'
import { buildLegacyRecord } from './record/buildLegacyRecord.js'
import { buildV2Record } from './record/buildV2Record.js'
import { LegacyPageSchema } from './record/legacyRecordSchema.js'
import { v2PageSchema } from './record/v2RecordSchema.js'
import type { RequestPages } from './requestPages.js'

/** `GET /requests/v2`, deprecated (wire.md 3.2, 3.3, K.3 6). */
export const requestsV2Route = (pages: RequestPages, deprecation: Deprecation, partnerKey: string): Route =>
  defineRoute({
    method: 'GET',
    path: '/requests/v2',
    summary: 'History of requests, version 2',
    description: `Deprecated: use GET /requests/v3. From ${deprecation.notice.sunsetAt} on it answers 410.`,
    tags: ['requests'],
    deprecated: true,
    bucket: 'requests',
    auth: 'optional',
    query: RequestsV2Query,
    responses: { 200: v2PageSchema(partnerKey), 403: MessageSchema, 410: MovedSchema, 429: TooManySchema },
    headers: () => deprecation.headers,
    errorBody: (answer) => deprecation.errorBody(answer),
    exactErrors: (status) => status === 429,
    // Before the schema: what is retired tells nobody how to ask it better.
    authorize: () => deprecation.requireServed(),
    handler: async ({ query, caller }) => ({
      ...(await pages.page('/requests/v2', query, caller, buildV2Record)),
      deprecation: deprecation.notice,
    }),
  })

/** `GET /requests`, the first version (wire.md 3.4). It outlives version 2 (K.3 6). */
export const legacyRequestsRoute = (pages: RequestPages): Route =>
  defineRoute({
    method: 'GET',
    path: '/requests',
    summary: 'History of requests, version 1',
    description: 'For old clients; use GET /requests/v3. It has no end date.',
    tags: ['requests'],
    deprecated: true,
    bucket: 'requests',
    auth: 'optional',
    query: LegacyQuery,
    responses: { 200: LegacyPageSchema },
    handler: ({ query, caller }) => pages.page('/requests', query, caller, buildLegacyRecord),
  })

const SIGNATURES_GONE =
  'Signatures of requests were removed on 2026-09-01. Ask for the quote with includeProtocolData: true; protocol.v2.orderData and protocol.v2.orderSignature are in its answer.'

/** The two removed signature operations: 404 always (wire.md 2.13, Versioning 5). */
export const signatureRoutes = (): readonly Route[] =>
  ['/requests/:requestId/signature', '/requests/:requestId/signature/v2'].map((path) =>
    defineRoute({
      method: 'GET',
      path,
      summary: 'Removed',
      description: SIGNATURES_GONE,
      tags: ['requests'],
      deprecated: true,
      bucket: 'other',
      auth: 'none',
      responses: { 404: MessageSchema },
      handler: () => {
        throw new HttpError(404, SIGNATURES_GONE)
      },
    }),
  )

/** What changes for who moves to version 3 (wire.md 3.3). */
const CHANGES = [
  'x-api-key is required.',
  'The parameter hash is gone: use term, or depositTxHash, fillTxHash and refundTxHash.',
  'sender, refundTo, requestType, features and supersededByRequestId are at the root.',
  'depositAddress is an object.',
  'The partner identifier is in data.externalMetadata, the referrer in data.referrer (own requests, includeAuthenticatedData).',
  'data.metadata is data.route, with quoted and actual.',
  'data.price, data.subsidizedRequest, data.subsidizedFee and the pairs of currency and currencyObject are gone.',
  'data.expandedPriceImpact is data.fees; the raw fees and feesUsd are gone.',
  'The part relay of fees is called platform.',
  'appFees and paidAppFees are data.appFees, with quoted, actual and currency.',
  'inTxs[].hash and outTxs[].hash are txHash.',
  'status also says depositing and submitted.',
  'Reasons that there are not are null instead of N/A.',
]

/** The guide that the deprecation points to. */
export const migrationGuideRoute = (deprecation: Deprecation): Route =>
  defineRoute({
    method: 'GET',
    path: GUIDE_PATH,
    summary: 'How to move from GET /requests/v2 to GET /requests/v3',
    tags: ['requests'],
    bucket: 'other',
    auth: 'none',
    responses: {
      200: Type.Object({ message: Type.String(), sunsetAt: Type.String(), changes: Type.Array(Type.String()) }),
    },
    handler: () => ({
      message: 'Replace GET /requests/v2 by GET /requests/v3; what changes:',
      sunsetAt: deprecation.notice.sunsetAt,
      changes: CHANGES,
    }),
  })
