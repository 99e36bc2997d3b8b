export type { KnownChain, QuotedRequest, VerifyOptions } from './verifyOptions.js'
export type { QuoteVerdict, RefusedQuote, VerifiedQuote } from './verifyQuote.js'
export { verifyQuote } from './verifyQuote.js'
