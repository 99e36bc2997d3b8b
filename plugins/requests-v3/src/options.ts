import { type Static, Type } from '@sinclair/typebox'

/** Options of the plugin in the configuration. */
export const requestsOptions = Type.Object(
  {
    partnerKey: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
      default: 'moonpayId',
      description: 'Name of the partner identifier in records and in POST /requests/metadata',
    }),
    projectionMs: Type.Integer({
      minimum: 10,
      maximum: 10_000,
      default: 1_000,
      description: 'How often changed requests are looked for, to store the records of finished ones',
    }),
    projectionBatch: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 200,
      description: 'Most changes whose records are written in one transaction',
    }),
    fileRequests: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 10_000,
      description: 'Most requests of one CSV file',
    }),
  },
  { additionalProperties: false },
)
export type RequestsOptions = Static<typeof requestsOptions>
