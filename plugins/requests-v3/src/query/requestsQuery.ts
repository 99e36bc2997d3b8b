import { AddressText, ChainId, MAX_SECONDS, STATUS_FILTER } from '@causeway/core/plugin'
import { type SchemaOptions, type Static, type TSchema, Type } from '@sinclair/typebox'

const MAX_TEXT = 256
/** The longest text of `filters`, in characters. */
export const MAX_FILTERS = 16_384

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const text = (description: string, more: SchemaOptions = {}) =>
  optional(AddressText({ maxLength: MAX_TEXT, description, ...more }))
const chain = (description: string) => optional(ChainId({ description }))
const flag = (description: string) => optional(Type.Boolean({ description }))
const count = (description: string, maximum: number = Number.MAX_SAFE_INTEGER) =>
  optional(Type.Integer({ minimum: 0, maximum, description }))
const decimal = (description: string) => optional(Type.Number({ minimum: 0, description }))

/** Parameters of `GET /requests/v3` (wire.md 3.1, H.3). Numbers are decimal text; unknown parameters are ignored. */
export const RequestsQuery = Type.Object({
  limit: optional(Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Requests on a page' })),
  continuation: text('Where to go on: of the page before, with the same filters, order and key', { maxLength: 512 }),
  term: text('Request or order id, wallet, deposit address or any transaction hash'),
  id: text('Request id'),
  orderId: text('Order id'),
  depositTxHash: text('Hash of a deposit'),
  fillTxHash: text('Hash of a fill'),
  refundTxHash: text('Hash of a refund'),
  hash: optional(Type.String({ description: 'Removed: use term, or one of the three hashes' })),
  originChainId: chain('Chain of the deposit'),
  destinationChainId: chain('Chain of the fill'),
  chainId: chain('Either chain; with one of the two above both must hold'),
  privateChainsToInclude: text('UUIDs of private chains to show too, with commas between them', { maxLength: 2_048 }),
  user: text('Sender, or depositor of a deposit address'),
  recipient: text('Recipient'),
  depositAddress: text('Deposit address'),
  status: optional(
    Type.Union(
      STATUS_FILTER.map((word) => Type.Literal(word)),
      { description: 'Status' },
    ),
  ),
  failReason: text('Reason of a failed fill'),
  refundFailReason: text('Reason why a refund failed'),
  apiKey: text('Own API keys, each as the key or its id, with commas between them', { maxLength: 8_192 }),
  requestType: text('Type, in any case: Bridge, Crosschain Swap, Same-chain Swap, Send, Wrap, Unwrap, Call'),
  referrer: text('Referrer given at quote time, exactly; only together with apiKey'),
  currencyInChainId: chain('Chain of the currency given'),
  currencyOutChainId: chain('Chain of the currency received'),
  currencyInAddress: text('Address of the currency given'),
  currencyOutAddress: text('Address of the currency received'),
  currencyInSymbol: text('Symbol of the currency given, in any case'),
  currencyOutSymbol: text('Symbol of the currency received, in any case'),
  startTimestamp: count('Unix seconds, inclusive; of updatedAt when sorted by it, else of createdAt', MAX_SECONDS),
  endTimestamp: count('Unix seconds, inclusive', MAX_SECONDS),
  startBlock: count('Block of any transaction, of the origin when originChainId is given; inclusive'),
  endBlock: count('The same, inclusive'),
  amountUsdMin: decimal('Dollars of what was given'),
  amountUsdMax: decimal('Dollars of what was given'),
  appFeesAmountUsdMin: decimal('Dollars of all app fees'),
  appFeesAmountUsdMax: decimal('Dollars of all app fees'),
  fillTimeMin: decimal('Seconds from deposit to fill'),
  fillTimeMax: decimal('Seconds from deposit to fill'),
  features: text('Features with commas between them; at least one must be there'),
  includeChildRequests: flag('With id or depositAddress: also duplicates, retries and refunds of it'),
  filters: optional(
    Type.String({ maxLength: MAX_FILTERS, description: 'JSON list of groups: AND within a group, OR between them' }),
  ),
  sortBy: optional(Type.Union([Type.Literal('createdAt'), Type.Literal('updatedAt'), Type.Literal('amountUsd')])),
  sortDirection: optional(
    Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
      description: 'Default desc for times, asc for amountUsd',
    }),
  ),
  includeAuthenticatedData: flag('Adds referrer, platformFee and apiKeyName to your own requests'),
  includeTotal: flag('Adds the exact number of all requests that fit'),
})
export type RequestsQuery = Static<typeof RequestsQuery>
