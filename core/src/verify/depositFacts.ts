import type { Findings } from './findings.js'
import type { QuoteChains } from './quoteChains.js'
import { amountAt, integerAt, textAt } from './quoteView.js'
import type { VerifyOptions } from './verifyOptions.js'

/** What a deposit must do, by the order and the details that were checked before. */
export interface DepositFacts {
  readonly orderId: string
  readonly sender: string
  readonly chainId: number
  /** Protocol slug of the origin chain. */
  readonly slug: string
  readonly depository: string
  /** What is deposited. */
  readonly currency: string
  readonly decimals: number
  readonly amount: bigint
  /** What the user pays; another currency where a swap precedes the deposit. */
  readonly paid: { readonly currency: string; readonly amount: bigint }
  readonly isSwapped: boolean
  /** Most by which that swap may fall short of `amount`. */
  readonly swapSlippage: bigint
  readonly options: VerifyOptions
  readonly findings: Findings
}

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
  const paid = {
    currency: textAt(quote, 'details.currencyIn.currency.address'),
    amount: amountAt(quote, 'details.currencyIn.amount'),
  }
  const isSwapped = !chains.sameAddress(slug, paid.currency, currency)
  const shown = isSwapped ? 'details.route.origin.outputCurrency' : 'details.currencyIn'
  return {
    orderId,
    sender: textAt(quote, 'details.sender'),
    chainId: integerAt(quote, 'details.currencyIn.currency.chainId'),
    slug,
    depository: detail('depository'),
    currency,
    decimals: integerAt(quote, `${shown}.currency.decimals`),
    amount: amountAt(quote, 'protocol.v2.paymentDetails.amount'),
    paid,
    isSwapped,
    swapSlippage: isSwapped ? amountAt(quote, 'details.slippageTolerance.origin.value') : 0n,
    options,
    findings,
  }
}
