import type { TokenFacts } from '@causeway/core/chain'
import { parseIssued, symbolOf } from '../address/currencies.js'
import { ISSUED_DECIMALS } from '../address/issuedValue.js'
import { type Asked, askAccount } from '../rpc/xrpNode.js'

const MAX_SYMBOL = 16

/** Symbol and name of an issued currency. Null for XRP, and where the issuer does not exist. */
export const readTokenFacts = async (asked: Asked, currency: string): Promise<TokenFacts | null> => {
  const issued = parseIssued(currency)
  if (issued === null || (await askAccount(asked, issued.issuer)) === null) return null
  const symbol = symbolOf(issued.code).slice(0, MAX_SYMBOL)
  const { issuer } = issued
  return { symbol, name: `${symbol} of ${issuer.slice(0, 6)}…${issuer.slice(-4)}`, decimals: ISSUED_DECIMALS }
}
