import { destinationText } from '@causeway/core'
import { ANONYMOUS, type Caller, type QuoteBody, type QuoteCall, type RequoteCall } from '@causeway/core/plugin'

const callerOf = ({ integratorId, apiKeyId }: RequoteCall): Caller =>
  integratorId === null || apiKeyId === null
    ? ANONYMOUS
    : { kind: 'integrator', integratorId, apiKeyId, keyName: null, elevated: false }

/** The route by the terms alone, for a body of which nothing is left. */
const bodyOfTerms = ({ terms }: RequoteCall) => ({
  user: terms.user,
  recipient: destinationText(terms.recipient),
  destinationChainId: terms.destination.chainId,
  destinationCurrency: terms.swap?.to ?? terms.destination.currency,
  useDepositAddress: true,
})

/** The quote that would have been asked for, had anybody known what was going to come (wire.md E.3). */
export const requoteCallOf = (call: RequoteCall): QuoteCall => {
  const { includedOriginSwapSources: _onOrigin, ...asked } = call.body
  const { chainId, currency, amount } = call.deposit
  const body: QuoteBody = {
    ...bodyOfTerms(call),
    ...asked,
    originChainId: chainId,
    originCurrency: currency,
    amount: amount.toString(),
    tradeType: 'EXACT_INPUT',
  }
  return { body, caller: callerOf(call), exposesUpstreamErrors: true }
}
