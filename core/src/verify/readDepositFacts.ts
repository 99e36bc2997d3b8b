import type { DepositFacts } from './depositFacts.js'
import type { Findings } from './findings.js'
import type { QuoteChains } from './quoteChains.js'
import { amountAt, integerAt, textAt } from './quoteView.js'
import type { VerifyOptions } from './verifyOptions.js'

/** @throws UnreadableQuoteError */
export const readDepositFacts = (
  quote: unknown,
  {
    orderId,
    chains,
    options,
    findings,
  }: {
    readonly orderId: string
    readonly chains: QuoteChains
    readonly options: VerifyOptions
    readonly findings: Findings
  },
): DepositFacts => {
  const detail = (name: string) => textAt(quote, `protocol.v2.paymentDetails.${name}`)
  const [slug, currency] = [detail('chainId'), detail('currency')]
  const sender = textAt(quote, 'details.sender')
  const paid = {
    currency: textAt(quote, 'details.currencyIn.currency.address'),
    amount: amountAt(quote, 'details.currencyIn.amount'),
  }
  const isSwapped = !chains.sameAddress(slug, paid.currency, currency)
  const shown = isSwapped ? 'details.route.origin.outputCurrency' : 'details.currencyIn'
  return {
    orderId,
    sender,
    chainId: integerAt(quote, 'details.currencyIn.currency.chainId'),
    slug,
    depository: detail('depository'),
    currency,
    decimals: integerAt(quote, `${shown}.currency.decimals`),
    amount: amountAt(quote, 'protocol.v2.paymentDetails.amount'),
    paid,
    isSwapped,
    swapSlippage: isSwapped ? amountAt(quote, 'details.slippageTolerance.origin.value') : 0n,
    swapRouter: options.swapRouters?.[slug] ?? null,
    feePayer: options.request?.depositFeePayer ?? sender,
    findings,
  }
}
