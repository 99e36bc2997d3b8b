import { shownTokenText, type TokenFacts } from '@causeway/core/chain'
import type { RpcAccount } from '../rpc/wire.js'
import type { AccountReader } from './token/accountReader.js'
import { parseMint, tokenProgramOf } from './token/mintInfo.js'

const MAX_SYMBOL = 16
const MAX_NAME = 64
const KEY_BYTES = 32

/**
 * Metadata of mints: symbol and name where the mint carries them (Token-2022 metadata), else its shortened address.
 * Null for what is no mint.
 */
export const readTokens = async (
  currencies: readonly string[],
  accounts: AccountReader,
): Promise<readonly (TokenFacts | null)[]> => {
  const found = await accounts.read(currencies)
  return currencies.map((currency, at) => factsOf(currency, found[at] ?? null))
}

const factsOf = (currency: string, account: RpcAccount | null): TokenFacts | null => {
  const mint = account === null || tokenProgramOf(account.owner) === null ? null : parseMint(account)
  if (mint === null) return null
  const short = `${currency.slice(0, 4)}…${currency.slice(-4)}`
  const said = readMetadata(mint.extension('TokenMetadata'))
  return {
    symbol: shownTokenText(said?.symbol ?? '', MAX_SYMBOL) ?? short,
    name: shownTokenText(said?.name ?? '', MAX_NAME) ?? short,
    decimals: mint.decimals,
  }
}

/** Update authority and mint, then name and symbol, each behind its length. */
const readMetadata = (data: Buffer | null): { readonly name: string; readonly symbol: string } | null => {
  const name = readText(data, 2 * KEY_BYTES)
  const symbol = name === null ? null : readText(data, name.end)
  return name === null || symbol === null ? null : { name: name.text, symbol: symbol.text }
}

const readText = (data: Buffer | null, at: number): { readonly text: string; readonly end: number } | null => {
  if (data === null || data.length < at + 4) return null
  const end = at + 4 + data.readUInt32LE(at)
  return end > data.length ? null : { text: data.subarray(at + 4, end).toString('utf8'), end }
}
