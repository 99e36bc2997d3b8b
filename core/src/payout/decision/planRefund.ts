import type { Pool } from 'pg'
import type { Simulation } from '../../chain/chainAdapter.js'
import type { Destination, FeeQuote } from '../../chain/chainReferences.js'
import type { ChainRegistry } from '../../chain/chainRegistry.js'
import type { Clock } from '../../clock/clock.js'
import { demandOf } from '../../deposit/depositTrust.js'
import type { RefundFailReason } from '../../errors/failReason.js'
import { ServiceError } from '../../errors/serviceError.js'
import { smaller } from '../../money/compare.js'
import type { CurrencyRegistry } from '../../money/currency/currency.js'
import type { Hex } from '../../money/hex.js'
import type { Prices } from '../../money/prices/priceSource.js'
import { amountForUsd, parseUsd } from '../../money/usdMath.js'
import { mostAgreeing } from '../../quorum/quorumTiers.js'
import { chainPayout, simulatedData } from '../chainPayout.js'
import type { DepositPayout } from '../createPayouts.js'
import { largestPayable } from '../payable.js'
import { arrivalFee } from './arrivalFee.js'

export interface RefundDeps {
  readonly pool: Pool
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly clock: Clock
}

/** Network fee that an order's own recipient or calls wasted, native smallest unit of the chain. */
export interface BurntGas {
  readonly chainId: number
  readonly amount: bigint
}

/** What is to go back, and to whom. */
export interface RefundRequest {
  /** Null: the deposit belongs to nobody's request. */
  readonly requestId: Hex | null
  readonly orderId: Hex
  /** Null: nobody said where to. */
  readonly refundTo: Destination | null
  /** Why nothing goes back by itself; absent: nobody said where to. */
  readonly noRefund?: RefundFailReason | undefined
  /** Part of the deposit that `refundTo` is not known to have sent; must be dust (faults.md F143). Absent: not checked. */
  readonly others?: bigint | undefined
  /** Senders may still be recorded; the refund waits then instead of being parked. */
  readonly unread?: boolean | undefined
  readonly deposit: {
    readonly id: string
    readonly chainId: number
    readonly currency: string
    readonly amount: bigint
  }
  /** What the deposit pays for beside its way back (faults.md F124); null or absent: nothing. */
  readonly burnt?: BurntGas | null
  /** A fill has kept what bringing the deposit in cost the service; absent: the refund keeps it (faults.md F150). */
  readonly arrivalPaid?: boolean
}

/** A refund that can be paid, or why none follows by itself. */
export type RefundPlan =
  | { readonly payout: DepositPayout }
  | { readonly refundFailReason: RefundFailReason; readonly details: string | null }

/**
 * Plans the refund of a deposit: all of it less what sending it back and bringing it in cost (wire.md E.5) and what its order wasted, to
 * `refundTo` on the chain it came from. What one payment there cannot carry stays as a fee. Missing inventory does not stop it: the
 * deposit is withdrawn first then. What is worth more than one provider is believed for does not go to a sender that one provider told.
 * Throws ServiceError when fees or prices cannot be had: try again later.
 */
export const planRefund = async (deps: RefundDeps, request: RefundRequest): Promise<RefundPlan> => {
  const { orderId, refundTo, deposit, noRefund = 'MANUAL_REFUND_REQUIRED', others = 0n } = request
  if (refundTo === null) {
    if (request.unread === true) throw unread(deposit.chainId)
    return { refundFailReason: noRefund, details: request.others === undefined ? null : UNKNOWN_SENDER }
  }
  const chain = deps.chains.get(deposit.chainId)
  const payable = (amount: bigint): bigint => largestPayable(chain.adapter, { currency: deposit.currency, amount })
  const money = { currency: deposit.currency, amount: payable(deposit.amount) }
  const payout = chainPayout({ purpose: 'refund', orderId, from: chain.config.solver, to: refundTo, money })
  const guess = await costOf(deps, request, await chain.adapter.estimatePayoutFee(payout))
  if (guess > deposit.amount * HOPELESS) return TOO_LITTLE
  const arrival = request.arrivalPaid === true ? 0n : await arrivalFee(deps.pool, deposit.id)
  const simulation = await chain.adapter.simulate(payout)
  if (!simulation.ok && simulation.kind !== 'insufficient-funds' && simulation.kind !== 'transient') {
    return { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: simulation.message }
  }
  const back = await costOf(deps, request, await chain.adapter.estimatePayoutFee(payout, simulation))
  const fees = back + (await inCurrency(deps, { chainId: deposit.chainId, amount: arrival }, deposit))
  const amount = fees < deposit.amount ? payable(deposit.amount - fees) : 0n
  if (amount === 0n) return TOO_LITTLE
  if (await isDust(deps, others, deposit, fees)) {
    if (request.others !== undefined && !(await isSmall(deps, deposit))) return ONE_WITNESS
    return { payout: toPayout(deps, request, refundTo, amount, simulation) }
  }
  if (request.unread === true) throw unread(deposit.chainId)
  return SEVERAL_SENDERS
}

const TOO_LITTLE: RefundPlan = { refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND', details: null }

const UNKNOWN_SENDER =
  'The deposit, or a part of it, came from another sender or from one that the chain does not show, such as a contract.'
const SEVERAL_SENDERS: RefundPlan = { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: UNKNOWN_SENDER }

/** Senders of payments to an address are recorded as one provider tells them. */
const ONE_WITNESS: RefundPlan = {
  refundFailReason: 'MANUAL_REFUND_REQUIRED',
  details: 'The deposit is worth more than one provider is believed for, and one provider told who sent it.',
}

/** Whether one provider alone is believed for so much (faults.md invariant 3). */
const isSmall = async (deps: RefundDeps, deposit: RefundRequest['deposit']): Promise<boolean> =>
  mostAgreeing(deps.chains.get(deposit.chainId).config) === 1 || (await demandOf(deps, deposit)).agreeing === 1

const unread = (chainId: number): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The payments to addresses of chain ${chainId} are not read up to the sweep yet; the refund waits for who sent them.`,
  )

/** Parts of others up to this worth do not keep a refund from the sender of the rest, if they are at most a hundredth of the deposit. */
const DUST_USD = '1'
const DUST_SHARE = 100n

/**
 * Whether others may have added so much to a deposit without a part in its refund: less than it costs to send anything back, or a dollar;
 * never more than a quarter. What needs no price to tell is told without one.
 */
const isDust = async (
  { currencies, prices }: RefundDeps,
  others: bigint,
  { chainId, currency, amount }: RefundRequest['deposit'],
  fees: bigint,
): Promise<boolean> => {
  if (others <= smaller(fees, amount / 4n)) return true
  const held = currencies.find(chainId, currency)
  if (held === undefined || others > amount / DUST_SHARE) return false
  const [price] = await prices.get([held])
  const dollar = parseUsd(DUST_USD)
  return price !== undefined && dollar !== null && others <= amountForUsd(dollar, held, price.usd, 'down')
}

/** Dust so far below the usual cost of sending it back that no simulation is worth its calls: anyone may make thousands (faults.md F132). */
const HOPELESS = 4n

/** What the deposit pays for its way back and for what its order wasted, in its own currency. */
const costOf = async (deps: RefundDeps, { deposit, burnt }: RefundRequest, fee: FeeQuote): Promise<bigint> => {
  const [network, wasted] = await Promise.all([
    inCurrency(deps, { chainId: deposit.chainId, amount: fee.network.amount }, deposit),
    burnt === null || burnt === undefined ? 0n : inCurrency(deps, burnt, deposit),
  ])
  return network + (fee.currencyFee ?? 0n) + wasted
}

const toPayout = (
  deps: RefundDeps,
  { requestId, orderId, deposit }: RefundRequest,
  recipient: Destination,
  amount: bigint,
  simulation: Simulation,
): DepositPayout => ({
  purpose: 'refund',
  depositId: deposit.id,
  requestId,
  orderId,
  chainId: deposit.chainId,
  signer: deps.chains.get(deposit.chainId).config.solver,
  recipient,
  currency: deposit.currency,
  amount,
  fees: deposit.amount - amount,
  data: simulation.ok ? simulatedData(simulation) : {},
  at: deps.clock.now(),
})

/**
 * A native network fee in the deposit's currency, rounded up; nothing in a currency the solver does not hold, which has no
 * price: only an operator's refund pays such a one.
 */
const inCurrency = async (
  deps: RefundDeps,
  fee: BurntGas,
  { chainId, currency }: RefundRequest['deposit'],
): Promise<bigint> => {
  const native = deps.currencies.native(fee.chainId)
  const target = deps.currencies.find(chainId, currency)
  if (native === undefined || (native.chainId === chainId && native.address === currency)) return fee.amount
  if (target === undefined) return 0n
  const [nativePrice, targetPrice] = await deps.prices.get([native, target])
  if (nativePrice === undefined || targetPrice === undefined) return fee.amount
  const usd = fee.amount * nativePrice.usd * 10n ** BigInt(target.decimals)
  const divisor = targetPrice.usd * 10n ** BigInt(native.decimals)
  return (usd + divisor - 1n) / divisor
}
