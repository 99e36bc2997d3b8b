import { answerOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { COUNT } from './fields.js'
import { type Asked, askAt } from './lighterNode.js'

const readAssets = answerOf(
  Type.Object({
    asset_details: Type.Array(
      Type.Object({
        asset_id: COUNT,
        symbol: Type.String({ maxLength: 100 }),
        decimals: Type.String({ pattern: '^\\d{1,2}$' }),
      }),
    ),
  }),
)

/** An asset that can be transferred. */
export interface Asset {
  readonly symbol: string
  /** Decimal places of its amounts in transfers. */
  readonly decimals: number
}

/** Assets of the exchange by their index in decimal digits. @throws ServiceError */
export const askAssets = async (asked: Asked): Promise<ReadonlyMap<string, Asset>> => {
  const { asset_details } = await askAt(asked, '/api/v1/assetDetails', readAssets)
  return new Map(
    asset_details.map(({ asset_id, symbol, decimals }) => [asset_id, { symbol, decimals: Number(decimals) }]),
  )
}
