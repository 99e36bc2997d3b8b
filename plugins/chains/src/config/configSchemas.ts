import { AddressText } from '@causeway/core/plugin'
import { type TSchema, Type } from '@sinclair/typebox'

// Chain ids are texts here (wire.md 0.1), read as numbers.
const chainId = (description: string) => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description })

/** Query of both operations but for how they name the currency. */
export const configQuery = <Currency extends TSchema>(currency: Currency) =>
  Type.Object({
    originChainId: chainId('Where the user pays'),
    destinationChainId: chainId('Where the recipient gets value'),
    user: Type.Optional(AddressText({ description: 'Address on the origin chain; its balance is shown' })),
    currency: Type.Optional(currency),
  })

const answer = {
  enabled: Type.Boolean({ description: 'Whether the currency can be moved this way now' }),
  user: Type.Object({
    balance: Type.String({ description: 'On the origin chain, smallest unit there; 0 without a user' }),
    maxBridgeAmount: Type.String({ description: 'Most that can be sent after fees, smallest unit of the origin' }),
  }),
  solver: Type.Object({
    address: Type.String({ description: 'On the destination chain' }),
    balance: Type.String({ description: 'On the destination chain, smallest unit there' }),
    capacityPerRequest: Type.String({ description: 'Of it, what one request may use' }),
  }),
  supportsExternalLiquidity: Type.Boolean(),
}

/** Answer of `GET /config` (wire.md 4.9). */
export const ConfigAnswer = Type.Object(answer)

/** Answer of `GET /config/v2` (wire.md 4.9). */
export const ConfigV2Answer = Type.Object({
  ...answer,
  fee: Type.String({ description: 'Network cost of the fill in the currency, smallest unit of the origin' }),
})
