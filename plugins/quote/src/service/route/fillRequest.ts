import { ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { PLACEHOLDER_ORDER } from '../pricing/marketReader.js'
import type { QuoteInput } from '../input/quoteInput.js'
import type { ResolvedRoute } from './resolveRoute.js'

/** The fill of a route but for its amount and swap, as it is simulated and priced. */
export const fillOf = (
  { destination, recipient }: ResolvedRoute,
  { calls }: Pick<QuoteInput, 'calls'>,
  topup: bigint,
): Omit<Payout, 'money' | 'swap'> => {
  if (topup > 0n && destination.chain.adapter.capabilities.gasTopup !== true) {
    throw new ServiceError('INVALID_REQUEST', `body.topupGas is not supported on chain ${destination.chain.config.id}`)
  }
  return {
    purpose: 'fill',
    orderId: PLACEHOLDER_ORDER,
    from: destination.chain.config.solver,
    to: recipient,
    calls: calls?.calls ?? [],
    ...(topup === 0n ? {} : { topup }),
    ...(calls === null || calls.gasLimit === null ? {} : { callsGasLimit: calls.gasLimit }),
    ...(calls === null || calls.delegations.length === 0 ? {} : { delegations: calls.delegations }),
  }
}
