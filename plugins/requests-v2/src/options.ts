import { type Static, Type } from '@sinclair/typebox'

const instant = (at: string, description: string) =>
  Type.String({
    pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ)?$',
    default: at,
    description,
  })

/** Goes into a header: printable ASCII without blanks, quotes and angle brackets. */
const link = (target: string, description: string) =>
  Type.String({ pattern: '^[!#-;=?-~]{1,500}$', default: target, description })

/** Where the guide is that this plugin serves itself. */
export const GUIDE_PATH = '/requests/v2/migration'

/** Options of the plugin; the dates are those of wire.md 3.3. */
export const requestsV2Options = Type.Object(
  {
    partnerKey: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
      default: 'moonpayId',
      description: 'Name of the partner identifier in records; the same as of @causeway/plugin-requests-v3',
    }),
    deprecatedAt: instant('2026-07-22', 'Since when GET /requests/v2 is deprecated, UTC'),
    throttledFrom: instant(
      '2026-09-01',
      'What answers tell of the first cut; the cut itself is an option of rate limits',
    ),
    sunsetAt: instant('2026-11-24', 'From when GET /requests/v2 answers 410, UTC'),
    successor: link('/requests/v3', 'URL or path of the operation that replaces GET /requests/v2'),
    migrationGuide: link(GUIDE_PATH, 'URL or path of what tells how to move'),
  },
  { additionalProperties: false },
)
export type RequestsV2Options = Static<typeof requestsV2Options>
