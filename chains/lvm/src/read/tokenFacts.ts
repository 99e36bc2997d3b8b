import type { TokenFacts } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import { askAssets } from '../rpc/assets.js'
import type { Asked } from '../rpc/lighterNode.js'

/** What the exchange says of a spot asset; null where it lists none. */
export const readTokenFacts = async (asked: Asked, currency: string): Promise<TokenFacts | null> => {
  if (currency === NATIVE) return null
  const asset = (await askAssets(asked)).get(currency)
  return asset === undefined ? null : { symbol: asset.symbol, name: asset.symbol, decimals: asset.decimals }
}
