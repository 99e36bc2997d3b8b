import { type CurrencyRegistry, formatAmount, larger } from '@causeway/core'
import type { ChainMoney, Payout, RecipientStatus, Simulation } from '@causeway/core/chain'

/** What the recipient gets at least; null where calls have the money at their disposal. */
export const receivedOf = ({ money, swap, calls }: Payout): ChainMoney | null => {
  if (calls.length > 0) return null
  return swap === undefined ? money : { currency: swap.offer.to, amount: swap.minimumOut }
}

/** Shown amounts of one chain. */
export interface LeastContext {
  readonly chainId: number
  readonly currencies: CurrencyRegistry
}

/** The simulation of a payment, refused below what its recipient can receive, and standing for no smaller one. */
export const withLeast = (
  simulation: Simulation,
  { received, status }: { readonly received: ChainMoney; readonly status: RecipientStatus },
  context: LeastContext,
): Simulation => {
  const kind = 'recipient-cannot-receive'
  if (!status.canReceive) return { ok: false, kind, message: status.why ?? 'The recipient cannot receive this.' }
  const { least = 0n } = status
  if (received.amount < least) {
    const message = `The recipient can receive no less than ${shownAmount(least, received.currency, context)} now`
    return { ok: false, kind, message, leastAmount: least }
  }
  if (!simulation.ok || simulation.leastAmount === undefined) return simulation
  return { ...simulation, leastAmount: larger(simulation.leastAmount, least) }
}

const shownAmount = (amount: bigint, currency: string, { chainId, currencies }: LeastContext): string => {
  const known = currencies.find(chainId, currency)
  return known === undefined ? `${amount} units` : `${formatAmount(amount, known.decimals)} ${known.symbol}`
}
