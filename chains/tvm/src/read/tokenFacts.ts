import type { TokenFacts } from '@causeway/core/chain'
import { TRC20 } from '../address/abi.js'
import { NATIVE } from '../address/addresses.js'
import { askText, askWord } from '../rpc/contracts.js'
import type { Asked } from '../rpc/tronNode.js'

const MAX_SYMBOL = 16
const MAX_NAME = 64
const MOST_DECIMALS = 77n

const clean = (text: string | null, most: number): string =>
  [...(text ?? '').replace(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, most).join('')

/** Symbol, name and decimal places of a TRC-20; null for TRX and for a contract that tells no decimal places. */
export const readTokenFacts = async (asked: Asked, currency: string): Promise<TokenFacts | null> => {
  if (currency === NATIVE) return null
  const [decimals, symbol, name] = await Promise.all([
    askWord(asked, currency, TRC20.decimals),
    askText(asked, currency, TRC20.symbol),
    askText(asked, currency, TRC20.name),
  ])
  if (decimals === null || decimals > MOST_DECIMALS) return null
  return { symbol: clean(symbol, MAX_SYMBOL), name: clean(name, MAX_NAME), decimals: Number(decimals) }
}
