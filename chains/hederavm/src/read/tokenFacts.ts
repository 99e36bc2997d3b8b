import type { TokenFacts } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import type { Asked } from '../rpc/mirrorNode.js'
import { askToken } from '../rpc/tokens.js'

const MAX_SYMBOL = 16
const MAX_NAME = 64

/** Symbol, name and decimal places of a fungible token; null for HBAR and where there is none. */
export const readTokenFacts = async (asked: Asked, currency: string): Promise<TokenFacts | null> => {
  if (currency === NATIVE) return null
  const token = await askToken(asked, currency)
  if (token === null || !token.isFungible || token.isDeleted) return null
  const { symbol, name, decimals } = token
  return { symbol: symbol.slice(0, MAX_SYMBOL), name: name.slice(0, MAX_NAME), decimals }
}
