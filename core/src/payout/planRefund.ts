import type { ChainMoney, Simulation } from '../chain/chainAdapter.js'
import type { ChainRegistry } from '../chain/chainRegistry.js'
import type { Clock } from '../clock/clock.js'
import type { RefundFailReason } from '../errors/failReason.js'
import type { CurrencyRegistry } from '../money/currency.js'
import type { Hex } from '../money/hex.js'
import type { Prices } from '../money/priceSource.js'
import type { NewPayout } from './createPayouts.js'

export interface RefundDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly clock: Clock
}

/** What is to go back, and to whom. */
export interface RefundRequest {
  /** Null: the deposit belongs to nobody's request. */
  readonly requestId: Hex | null
  readonly orderId: Hex
  /** Null: nobody said where to. */
  readonly refundTo: string | null
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
export const planRefund = async (deps: RefundDeps, request: RefundRequest): Promise<RefundPlan> => {
  const { orderId, refundTo, deposit } = request
  if (refundTo === null) return { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: null }
  const chain = deps.chains.get(deposit.chainId)
  const payout = {
    purpose: 'refund' as const,
    orderId,
    from: chain.config.solver,
    to: { address: refundTo },
    money: { currency: deposit.currency, amount: deposit.amount },
    calls: [],
  }
  const simulation = await chain.adapter.simulate(payout)
  if (!simulation.ok && simulation.kind !== 'insufficient-funds' && simulation.kind !== 'transient') {
    return { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: simulation.message }
  }
  const fee = await chain.adapter.estimatePayoutFee(payout, simulation)
  const network = await inCurrency(deps, deposit.chainId, fee.network, deposit.currency)
  const fees = network + (fee.currencyFee ?? 0n)
  if (fees >= deposit.amount) return { refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND', details: null }
  return { payout: toPayout(deps, request, refundTo, fees, simulation) }
}

const toPayout = (
  deps: RefundDeps,
  { requestId, orderId, deposit }: RefundRequest,
  recipient: string,
  fees: bigint,
  simulation: Simulation,
): NewPayout => ({
  purpose: 'refund',
  depositId: deposit.id,
  requestId,
  orderId,
  chainId: deposit.chainId,
  signer: deps.chains.get(deposit.chainId).config.solver,
  recipient,
  currency: deposit.currency,
  amount: deposit.amount - fees,
  fees,
  data: simulation.ok ? { gas: simulation.gas.toString() } : {},
  at: deps.clock.now(),
})

/**
 * A native network fee in another currency of the chain, rounded up; nothing in a currency the solver does not hold, which
 * has no price: only an operator's refund pays such a one.
 */
const inCurrency = async (deps: RefundDeps, chainId: number, fee: ChainMoney, currency: string): Promise<bigint> => {
  const native = deps.currencies.native(chainId)
  if (native === undefined || native.address === currency) return fee.amount
  const target = deps.currencies.find(chainId, currency)
  if (target === undefined) return 0n
  const [nativePrice, targetPrice] = await deps.prices.get([native, target])
  if (nativePrice === undefined || targetPrice === undefined) return fee.amount
  const usd = fee.amount * nativePrice.usd * 10n ** BigInt(target.decimals)
  const divisor = targetPrice.usd * 10n ** BigInt(native.decimals)
  return (usd + divisor - 1n) / divisor
}
