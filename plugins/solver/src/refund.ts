import type { ChainMoney, Hex, NewPayout, QuoteTerms, RefundFailReason, Simulation } from '@causeway/core'
import type { SolverDeps } from './laneContext.js'

export interface RefundRequest {
  readonly requestId: Hex
  readonly terms: QuoteTerms
  readonly deposit: {
    readonly id: string
    readonly chainId: number
    readonly currency: string
    readonly amount: bigint
  }
}

/** A refund that can be paid, or why none follows by itself. */
export type RefundPlan =
  | { readonly payout: NewPayout }
  | { readonly refundFailReason: RefundFailReason; readonly details: string | null }

/**
 * Plans the refund of a deposit: all of it less what sending it back costs (wire.md E.5), to `refundTo` on the chain it came
 * from. Missing inventory does not stop it: the deposit is withdrawn first then. Throws ServiceError when fees or prices
 * cannot be had: try again later.
 */
export const planRefund = async (deps: SolverDeps, request: RefundRequest): Promise<RefundPlan> => {
  const { terms, deposit } = request
  if (terms.refundTo === null) return { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: null }
  const chain = deps.chains.get(deposit.chainId)
  const payout = {
    purpose: 'refund' as const,
    orderId: terms.orderId,
    from: chain.config.solver,
    to: { address: terms.refundTo },
    money: { currency: deposit.currency, amount: deposit.amount },
    calls: [],
  }
  const simulation = await chain.adapter.simulate(payout)
  if (!simulation.ok && simulation.kind !== 'insufficient-funds' && simulation.kind !== 'transient') {
    return { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: simulation.message }
  }
  const fee = await chain.adapter.estimatePayoutFee(payout, simulation)
  const fees = await inCurrency(deps, deposit.chainId, fee.network, deposit.currency)
  if (fees >= deposit.amount) return { refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND', details: null }
  return { payout: toPayout(deps, request, terms.refundTo, fees, simulation) }
}

const toPayout = (
  deps: SolverDeps,
  request: RefundRequest,
  recipient: string,
  fees: bigint,
  simulation: Simulation,
): NewPayout => ({
  purpose: 'refund',
  depositId: request.deposit.id,
  requestId: request.requestId,
  orderId: request.terms.orderId,
  chainId: request.deposit.chainId,
  signer: deps.chains.get(request.deposit.chainId).config.solver,
  recipient,
  currency: request.deposit.currency,
  amount: request.deposit.amount - fees,
  fees,
  data: simulation.ok ? { gas: simulation.gas.toString() } : {},
  at: deps.clock.now(),
})

/** A native network fee in another currency of the chain, rounded up. */
const inCurrency = async (deps: SolverDeps, chainId: number, fee: ChainMoney, currency: string): Promise<bigint> => {
  const native = deps.currencies.native(chainId)
  const target = deps.currencies.find(chainId, currency)
  if (native === undefined || target === undefined || native.address === target.address) return fee.amount
  const [nativePrice, targetPrice] = await deps.prices.get([native, target])
  if (nativePrice === undefined || targetPrice === undefined) return fee.amount
  const usd = fee.amount * nativePrice.usd * 10n ** BigInt(target.decimals)
  const divisor = targetPrice.usd * 10n ** BigInt(native.decimals)
  return (usd + divisor - 1n) / divisor
}
