export { encodeAddress } from '../order/encoding/vmCodecs.js'
export { hexDigits, hexToBytes, parseHexDigits } from '../order/hexBytes.js'
export { OrderEncodingError } from '../order/orderEncodingError.js'
export { portableKeccak256 } from '../order/portableKeccak.js'
export type { QuoteSteps, SignatureStep, TransactionStep } from './checkSteps.js'
export type { DepositFacts, PermitFacts } from './depositFacts.js'
export { Findings } from './findings.js'
export {
  amountAt,
  type Fields,
  integerAt,
  isFields,
  listAt,
  textAt,
  UnreadableQuoteError,
  valueAt,
} from './quoteView.js'
export type { VerifiableVm } from './verifiableVm.js'
export type { KnownChain, QuotedRequest, VerifyOptions } from './verifyOptions.js'
export type { QuoteVerdict, RefusedQuote, VerifiedQuote } from './verifyQuote.js'
export { verifyQuote } from './verifyQuote.js'
