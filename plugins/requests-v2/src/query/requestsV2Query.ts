import { AddressText, ChainId, MAX_SECONDS, oneOf, RULE_KEYWORD, STATUS_FILTER } from '@causeway/core/plugin'
import { type SchemaOptions, type Static, type TSchema, Type } from '@sinclair/typebox'

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const text = (description: string, more: SchemaOptions = {}) =>
  optional(AddressText({ maxLength: 256, description, ...more }))
const chain = (description: string) => optional(ChainId({ description }))
const flag = (description: string) => optional(Type.Boolean({ description }))
const count = (description: string, maximum: number = Number.MAX_SAFE_INTEGER) =>
  optional(Type.Integer({ minimum: 0, maximum, description }))

const shared = {
  limit: optional(Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Requests on a page' })),
  continuation: text('Where to go on: of the page before, with the same parameters and key', { maxLength: 512 }),
  user: text('Sender or recipient'),
  hash: text('Hash of an origin or destination transaction'),
  originChainId: chain('Chain of the deposit'),
  destinationChainId: chain('Chain of the fill'),
  privateChainsToInclude: text('UUIDs of private chains to show too, with commas between them', { maxLength: 2_048 }),
  id: text('Request id'),
  startTimestamp: count('Unix seconds, inclusive; of updatedAt when sorted by it, else of createdAt', MAX_SECONDS),
  endTimestamp: count('Unix seconds, inclusive', MAX_SECONDS),
}

/** Parameters of `GET /requests` (wire.md 3.4). */
export const LegacyQuery = Type.Object(shared)

/** Parameters of `GET /requests/v2` (wire.md 3.2); unknown ones are ignored. */
export const RequestsV2Query = Type.Object({
  ...shared,
  orderId: text('Order id'),
  includeOrderData: flag('Adds orderData'),
  startBlock: count('Block of the origin chain, inclusive'),
  endBlock: count('Block of the origin chain, inclusive'),
  chainId: optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,15}$',
      [RULE_KEYWORD]: 'must be a chain id',
      description: 'Either chain; originChainId and destinationChainId override it',
    }),
  ),
  referrer: text('Referrer given at quote time, exactly; only together with apiKey'),
  depositAddress: text('Deposit address'),
  includeChildRequests: flag('With id or depositAddress: also duplicates, retries and refunds of it'),
  includeAuthenticatedData: flag('Adds referrer and data.platformFee to your own requests'),
  status: optional(oneOf(...STATUS_FILTER)),
  apiKey: text('Own API keys, each as the key or its id, with commas between them', { maxLength: 8_192 }),
  sortBy: optional(oneOf('createdAt', 'updatedAt')),
  sortDirection: optional(oneOf('asc', 'desc')),
})
export type RequestsV2Query = Static<typeof RequestsV2Query>
