import { type Hex, ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { payoutForm } from '@causeway/core/plugin'
import type { QuotePlan } from './quotePlan.js'

/** Stands in for the id of an order that does not exist yet; bytes that cost as much as a real one's. */
export const PLACEHOLDER_ORDER: Hex = `0x${'ff'.repeat(32)}`

/** The fill of a route but for its amount and swap, as it is simulated and priced. */
export const fillOf = ({
  route: { destination, recipient },
  input: { calls },
  draft: { topup },
}: Pick<QuotePlan, 'route' | 'input' | 'draft'>): Omit<Payout, 'money' | 'swap'> => {
  if (topup > 0n && destination.chain.adapter.capabilities.gasTopup !== true) {
    throw new ServiceError('INVALID_REQUEST', `body.topupGas is not supported on chain ${destination.chain.config.id}`)
  }
  return {
    purpose: 'fill',
    orderId: PLACEHOLDER_ORDER,
    from: destination.chain.config.solver,
    to: recipient,
    ...payoutForm({ calls, topup: topup === 0n ? undefined : topup }),
  }
}
