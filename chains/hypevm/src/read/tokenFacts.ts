import type { TokenFacts } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import type { Assets } from '../rpc/tokens.js'

const MAX_SYMBOL = 16
const MAX_NAME = 64

/** Symbol, name and decimal places of a token in its exchange; null for perps USDC and where there is none. */
export const readTokenFacts = async (currency: string, assets: Assets): Promise<TokenFacts | null> => {
  if (currency === NATIVE) return null
  const asset = await assets.find(currency)
  if (asset === null) return null
  const { symbol, name, decimals } = asset
  return { symbol: symbol.slice(0, MAX_SYMBOL), name: name.slice(0, MAX_NAME), decimals }
}
