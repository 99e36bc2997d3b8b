import { AddressText, ChainId } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

const usd = (description: string) => Type.String({ pattern: '^[0-9]{1,9}(\\.[0-9]{1,18})?$', description })

const token = Type.Object(
  {
    chainId: ChainId(),
    address: AddressText(),
    symbol: Type.String(),
    name: Type.String(),
    decimals: Type.Integer({ minimum: 0, maximum: 36 }),
  },
  { additionalProperties: false },
)

/** Options of the plugin in the configuration. */
export const notesOptions = Type.Object(
  {
    feeUsd: Type.String({ ...usd('What a note costs, US dollars'), default: '0.05' }),
    prices: Type.Record(Type.String(), usd('US dollars of one whole unit'), {
      default: {},
      description: 'Prices by asset, for assets that no other source knows',
    }),
    tokens: Type.Array(token, { default: [], description: 'Tokens that the search of currencies finds besides' }),
  },
  { additionalProperties: false },
)
export type NotesOptions = Static<typeof notesOptions>
