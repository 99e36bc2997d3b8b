import { AddressText, AmountText, ChainId, Hash32 } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'

/** Query of `GET /deposit-addresses/v1` (wire.md 2.12): exactly one of the two. */
export const LookupQuery = Type.Object({
  address: Type.Optional(Type.String({ minLength: 1, maxLength: 400, description: 'The address that was given' })),
  requestId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'The request of the quote that gave it' }),
  ),
})

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** Its answer. */
export const DepositAddressAnswer = Type.Object(
  {
    depositAddress: Type.String({ description: 'As the quote told it' }),
    type: Type.Union([Type.Literal('open'), Type.Literal('strict')], {
      description: '`open`: takes any number of payments; `strict`: one, as quoted',
    }),
    requestId: Hash32({ description: 'Of the quote that gave it' }),
    chainId: ChainId({ description: 'Chain that it was given on' }),
    createdAt: Type.String({ description: 'ISO 8601' }),
    currency: nullableText('Id of the origin currency, as the groupID of `POST /currencies/v1`'),
    refundTo: nullableText('As the quote named it; the marker of the native currency: whoever sent the money'),
  },
  { title: 'DepositAddress' },
)

/** Body of `POST /transactions/deposit-address/reindex` (wire.md 2.11). */
export const ReindexBody = Type.Object({
  chainId: ChainId({ description: 'Chain that the address was given on' }),
  depositAddress: Type.String({ minLength: 1, maxLength: 400, description: 'The address that was given' }),
  targetChainId: Type.Optional(ChainId({ description: 'Chain to look at, of the same VM; `chainId` when left out' })),
  currency: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'One currency of that chain; all of them when left out' }),
  ),
  sweep: Type.Optional(
    Type.Boolean({ description: 'Accepted, without effect: what is found is swept where it is worth its sweep' }),
  ),
})

/** Its answer. */
export const ReindexAnswer = Type.Object(
  {
    message: Type.String(),
    triggeredCurrencies: Type.Array(
      Type.Object({ currency: AddressText(), symbol: Type.String(), balance: AmountText() }),
      { description: 'What lies there now; it is swept next where it is worth its sweep' },
    ),
    checkedCurrencies: Type.Integer({ minimum: 0, description: 'How many were looked for' }),
    failedCurrencies: Type.Integer({ minimum: 0, description: 'Of how many the chain said nothing' }),
  },
  { title: 'ReindexedAddress' },
)
