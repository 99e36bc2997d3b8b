import type { ChainAdapter, SimulationFailure } from '../../../chain/chainAdapter.js'
import type { Payout } from '../../../chain/laneAdapter.js'
import { ServiceError } from '../../../errors/serviceError.js'
import { smaller } from '../../../money/compare.js'
import type { Hex } from '../../../money/hex.js'
import type { SumsView } from '../../arrivals/nodeSums.js'
import type { OpenSweeps } from './openSweeps.js'
import type { AddressLabels } from './taggedAccount.js'

/** A sweep of one label and currency, smallest unit. */
export interface SweepTerms {
  readonly label: string
  readonly orderId: Hex
  readonly currency: string
  /** Amount that the depository receives. */
  readonly amount: bigint
  /** Amount that leaves the account, with the issuer's transfer fee. */
  readonly taken: bigint
}

export type SweepPlan<Payment> =
  | { readonly ok: true; readonly payment: Payment; readonly amount: bigint }
  | SimulationFailure

/** Rules of the chain about sweeps of labels. */
export interface SweepRules<Payment> {
  readonly native: { readonly address: string; readonly symbol: string }
  /** Maximum network fee of one sweep that the account pays, native smallest unit; 0 where the lane's account pays. */
  readonly maxFee: bigint
  /** Set where a payment may land up to a second of block time; absent: up to a height. */
  readonly expiresByTime?: true
  /** Returns what leaves the account and what arrives, if at most `most` may leave; both are amounts that a payment can carry. */
  movable(currency: string, most: bigint): Promise<Pick<SweepTerms, 'amount' | 'taken'>>
  /** The payment to the depository under the order id of the address; it must name the label on the chain. */
  paymentOf(terms: SweepTerms): Payment
}

export interface SweepPlansDeps<Payment> extends SweepRules<Payment> {
  readonly account: string
  readonly labels: AddressLabels
  readonly sums: { read(least?: bigint): Promise<SumsView> }
  readonly open: OpenSweeps
  readonly balances: ChainAdapter['getBalances']
}

/** @throws ServiceError INVALID_ADDRESS for a destination that is no address of the account */
export const requireLabel = (
  { form, read }: AddressLabels,
  destination: Parameters<AddressLabels['read']>[0],
): string => {
  const label = read(destination)
  if (label !== null) return label
  throw new ServiceError(
    'INVALID_ADDRESS',
    `This is no deposit address of this chain: it names no ${form} of its account.`,
  )
}

const NOTHING = 'The deposit address has no balance in this currency: it was swept before, or the payment never came.'
const IN_FLIGHT = 'An earlier sweep of this deposit address is still pending. Try again later.'
const LESS_HELD = 'The account of deposit addresses holds less of this currency than its addresses received.'

const refused = (kind: SimulationFailure['kind'], message: string): SimulationFailure => ({ ok: false, kind, message })

/**
 * Plans sweeps that pay the whole balance of a label to the depository. The chain knows only the account's balance, so a label's balance is
 * the sum of its payments less its sweeps. The reserve and the fees come out of the operator's own money on the account.
 */
export class SweepPlans<Payment> {
  readonly #deps: SweepPlansDeps<Payment>

  constructor(deps: SweepPlansDeps<Payment>) {
    this.#deps = deps
  }

  /**
   * Returns the sweep as of now, or why no money can be moved.
   * @throws ServiceError when too few nodes show the account's history, or the payout is no sweep of this chain
   */
  async plan({ money: { currency }, sweep }: Pick<Payout, 'money' | 'sweep'>): Promise<SweepPlan<Payment>> {
    if (sweep === undefined)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'A sweep must name the address it takes from.')
    const { address, after = 0n } = sweep
    const label = requireLabel(this.#deps.labels, address.destination)
    const view = await this.#viewOf(label, currency, after)
    if (view === null) return refused('transient', IN_FLIGHT)
    const balance = view.sumOf(label, currency)
    if (balance === 0n) return refused('revert', NOTHING)
    return this.#take({ label, orderId: address.orderId, currency }, balance, view)
  }

  /** Sums at or above the height of the last sweep; null while that sweep may still land. */
  async #viewOf(label: string, currency: string, after: bigint): Promise<SumsView | null> {
    const { sums, open } = this.#deps
    const view = await sums.read(after)
    const { height, time } = view
    const from = open.knownFrom(label, currency, height, this.#deps.expiresByTime === true ? time : height)
    if (from === null) return null
    return view.height >= from ? view : sums.read(from)
  }

  async #take(
    sweep: Pick<SweepTerms, 'label' | 'orderId' | 'currency'>,
    balance: bigint,
    view: SumsView,
  ): Promise<SweepPlan<Payment>> {
    const { native, maxFee, labels, movable, paymentOf } = this.#deps
    const { currency } = sweep
    const { held, float, reserved } = await this.#heldOf(currency, view)
    if (float < reserved + maxFee) {
      const short = `The account of deposit addresses has too little ${native.symbol} of the operator for its reserve and fees.`
      return refused('transient', `${short} Send ${native.symbol} to it without a ${labels.form}.`)
    }
    // Sums can be a digit above the balance where the chain rounds.
    const { amount, taken } = await movable(currency, smaller(balance, held))
    if (amount === 0n) return held === 0n ? refused('insufficient-funds', LESS_HELD) : refused('revert', NOTHING)
    return { ok: true, amount, payment: paymentOf({ ...sweep, amount, taken }) }
  }

  /** Balance of the account, and the part of its native balance that belongs to no label. */
  async #heldOf(currency: string, view: SumsView) {
    const { account, native, balances } = this.#deps
    const asked = [...new Set([native.address, currency])]
    const { amounts, reserved } = await balances(asked.map((one) => ({ address: account, currency: one })))
    const [coins, held] = [amounts[0] ?? null, amounts[asked.indexOf(currency)] ?? null]
    if (coins === null || held === null)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The balance of the account of deposit addresses is unknown.')
    return { held, float: coins - view.totalOf(native.address), reserved: reserved?.[0] ?? 0n }
  }
}
