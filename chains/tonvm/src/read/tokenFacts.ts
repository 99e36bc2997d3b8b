import { createHash } from 'node:crypto'
import type { TokenFacts } from '@causeway/core/chain'
import { type Cell, Dictionary, type Slice } from '@ton/core'
import { NATIVE } from '../address/addresses.js'
import type { Asked } from '../rpc/tonApi.js'
import { runMethod } from './jettonWallets.js'

const MAX_SYMBOL = 16
const MAX_NAME = 64
const MAX_DECIMALS = 255
const ON_CHAIN = 0
const SNAKE = 0
/** Position of the content in the result of `get_jetton_data`. */
const CONTENT = 3

/** Symbol, name and decimal places of a jetton whose metadata is on the chain (TEP-64); null for any other and for TON. */
export const readTokenFacts = async (asked: Asked, currency: string): Promise<TokenFacts | null> => {
  if (currency === NATIVE) return null
  const content = (await runMethod(asked, { address: currency, method: 'get_jetton_data' }))?.[CONTENT]
  if (content?.type !== 'cell' && content?.type !== 'slice') return null
  const facts = readMetadata(content.cell)
  const decimals = facts('decimals') ?? '9'
  const [symbol, name] = [facts('symbol'), facts('name')]
  if (symbol === null || !/^\d{1,3}$/.test(decimals) || Number(decimals) > MAX_DECIMALS) return null
  return { symbol: symbol.slice(0, MAX_SYMBOL), name: (name ?? symbol).slice(0, MAX_NAME), decimals: Number(decimals) }
}

/** Looks up texts of a content cell by their names. */
const readMetadata = (content: Cell): ((name: string) => string | null) => {
  try {
    const slice = content.beginParse()
    if (slice.loadUint(8) !== ON_CHAIN) return () => null
    const all = slice.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
    return (name) => {
      const found = all.get(createHash('sha256').update(name).digest())
      return found === undefined ? null : textOf(found.beginParse())
    }
  } catch {
    return () => null
  }
}

const textOf = (slice: Slice): string | null => {
  try {
    return slice.loadUint(8) === SNAKE ? slice.loadStringTail() : null
  } catch {
    return null
  }
}
