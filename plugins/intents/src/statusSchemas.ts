import { Hash32, REQUEST_STATUSES, RULE_KEYWORD } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'

/** Query of every status operation; further parameters, such as `referrer`, are ignored (wire.md 2.1). */
export const StatusQuery = Type.Object({
  requestId: Hash32({
    [RULE_KEYWORD]:
      'must be 0x and 64 hex digits, the requestId of a quote; by the hash of a transaction ask GET /transactions/status, or GET /requests/v3 with term',
    description: 'Id of the quote or request',
  }),
  approval: Type.Optional(
    Type.String({
      pattern: '^[^,]{1,128},[^,]{1,128},[^,]{1,128},(0|[1-9][0-9]{0,77})$',
      [RULE_KEYWORD]: 'must be that of the check of an approve item',
      description:
        'From the check of an `approve` item: while the request waits for its deposit, `success` means that the allowance is there',
    }),
  ),
})

const hashes = (description: string) => Type.Array(Type.String(), { description })

const hashFields = {
  details: Type.Union([Type.String(), Type.Null()], { description: 'Further words, such as decoded revert data' }),
  inTxHashes: hashes('Transactions of the origin; empty until one is seen'),
  txHashes: hashes('Transactions of the destination, or of the refund'),
}

const chainFields = {
  originChainId: Type.Integer(),
  destinationChainId: Type.Integer(),
}

const quoteCreatedAt = Type.Integer({ description: 'Unix milliseconds' })

const bodyV3 = {
  ...hashFields,
  updatedAt: Type.Integer({ description: 'Unix milliseconds' }),
  ...chainFields,
  quoteCreatedAt,
  failReason: Type.String({ description: 'N/A unless the request failed or was refunded' }),
  refundFailReason: Type.String({ description: 'N/A unless a refund could not be made' }),
}

/** Answer of `/intents/status/v3`, and of `/intents/status` with its default words (wire.md 2.1, K.2 8). */
export const StatusV3 = Type.Object(
  { status: Type.Union(REQUEST_STATUSES.map((status) => Type.Literal(status))), ...bodyV3 },
  { title: 'IntentStatusV3' },
)

/** Answer of `/intents/status/v2` (wire.md 2.2). */
export const StatusV2 = Type.Object(
  {
    status: Type.Union(
      REQUEST_STATUSES.filter((status) => status !== 'submitted').map((status) => Type.Literal(status)),
    ),
    ...hashFields,
    time: Type.Integer({ description: 'Unix milliseconds of the last change' }),
    ...chainFields,
    quoteCreatedAt,
  },
  { title: 'IntentStatusV2' },
)

/** Answer of `/intents/status` with the old words: the body of v3 and v1's `time` (wire.md 2.2, H.3). */
export const StatusLegacy = Type.Object(
  {
    status: Type.Union(['received', 'pending', 'success', 'failure', 'fallback'].map((status) => Type.Literal(status))),
    ...bodyV3,
    time: Type.Integer({ description: 'Unix milliseconds of the last change' }),
  },
  { title: 'IntentStatusLegacy' },
)
