import {
  applyBps,
  BPS,
  type Clock,
  type Currency,
  type CurrencyRegistry,
  divide,
  type Hex,
  type Money,
  powerOfTen,
  ServiceError,
} from '@causeway/core'
import { type Destination, feeQuoteCache, largestPayable, type Prices, type Simulation } from '@causeway/core/chain'
import {
  amountForUsd,
  type BalanceCurrency,
  type Chain,
  conversionBps,
  crossingPrices,
  type Usd,
} from '@causeway/core/plugin'
import type { AppFeesSettings } from '../options.js'

/** What a claim is to pay. */
export interface ClaimRequest {
  /** Stands in the payment; any while there is no claim yet. */
  readonly id: Hex
  /** What is taken out of a balance. */
  readonly taken: Money
  readonly chain: Chain
  readonly currency: Currency
  readonly recipient: Destination
}

/** What it pays as of now, smallest unit; `fee` is kept of what is taken, in its currency. */
export interface PricedClaim {
  readonly amount: bigint
  readonly fee: bigint
  readonly minimum: bigint
  /** Null: the payment cannot be tried now, since funds are missing, and is once they are there. */
  readonly gas: bigint | null
}

export interface ClaimPricerDeps {
  readonly clock: Clock
  readonly prices: Prices
  /** Null: this deployment keeps no balances. */
  readonly balanceCurrency: BalanceCurrency | null
  readonly currencies: CurrencyRegistry
  readonly settings: Pick<AppFeesSettings, 'claimFee' | 'claimSlippageBps'>
}

/** Worth of a whole unit of each currency that a claim touches. */
interface ClaimPrices {
  readonly taken: Usd
  readonly paid: Usd
  readonly native: Usd
}

/** Any claim, for what one usually costs. */
const ANY_CLAIM: Hex = `0x${'ff'.repeat(32)}`
/** A claim must take so many times what it costs the network. */
const LEAST_COSTS = 2n

/**
 * What a claim pays (wire.md 4.12): what it takes less the network cost, in another currency at the checked price less the flat part and
 * the conversion.
 */
export class ClaimPricer {
  readonly #deps: ClaimPricerDeps
  readonly #usualFees: ReturnType<typeof feeQuoteCache>

  constructor(deps: ClaimPricerDeps) {
    this.#deps = deps
    this.#usualFees = feeQuoteCache(deps.clock)
  }

  /** Least that is worth claiming of a balance in its own currency: a multiple of the network cost, in that currency. */
  async leastOf(chain: Chain, currency: Currency): Promise<bigint> {
    const to = { address: chain.config.solver }
    const request = { id: ANY_CLAIM, taken: { currency, amount: 1n }, chain, currency, recipient: to }
    const [prices, { network }] = await Promise.all([
      this.#prices(request),
      this.#usualFees.get(`${chain.config.id}:${currency.address}`, () =>
        chain.adapter.estimatePayoutFee(payoutOf(request, 1n)),
      ),
    ])
    return LEAST_COSTS * this.#fee(request, prices, { network: network.amount, currencyFee: 0n })
  }

  /**
   * Throws ServiceError `AMOUNT_TOO_LOW` where the costs eat it, `DESTINATION_TX_FAILED` where the chain refuses the payment, and what
   * prices and chains throw.
   */
  async price(request: ClaimRequest): Promise<PricedClaim> {
    const { taken } = request
    const prices = await this.#prices(request)
    const guess = this.#paid(request, prices, this.#fee(request, prices, await costOf(request, taken.amount)))
    const simulation = await simulate(request, guess)
    const charged = this.#fee(request, prices, await costOf(request, guess, simulation))
    const amount = this.#paid(request, prices, charged)
    const minimum = applyBps(amount, BPS - BigInt(this.#deps.settings.claimSlippageBps), 'up')
    // A remainder that no payment can carry is kept with the fee.
    return { amount, fee: isOwn(request) ? taken.amount - amount : charged, minimum, gas: gasOf(simulation) }
  }

  async #prices({ taken, chain, currency }: ClaimRequest): Promise<ClaimPrices> {
    const native = this.#deps.currencies.native(chain.config.id)
    if (native === undefined) throw new Error(`Chain ${chain.config.id} has no native currency.`)
    const found = await this.#deps.prices.get([taken.currency, currency, native])
    const [ofTaken, ofPaid, ofNative] = found
    if (ofTaken === undefined || ofPaid === undefined || ofNative === undefined) {
      throw new Error('Prices answers for each currency it is asked for')
    }
    const crossing = crossingPrices({ currency: taken.currency, price: ofTaken }, { currency, price: ofPaid })
    return { taken: crossing.given, paid: crossing.taken, native: ofNative.usd }
  }

  /** Of the currency that is taken: the network's fee, what the paid currency itself takes, and in another one the flat part and the conversion. */
  #fee(request: ClaimRequest, prices: ClaimPrices, cost: ClaimCost): bigint {
    const { taken, chain, currency: paid } = request
    const { currency } = taken
    const native = this.#deps.currencies.native(chain.config.id)
    const inTaken = (amount: bigint, of: Currency, price: Usd): bigint =>
      divide(amount * price * powerOfTen(currency.decimals), prices.taken * powerOfTen(of.decimals), 'up')
    const network = native === undefined ? 0n : inTaken(cost.network, native, prices.native)
    const charged = network + inTaken(cost.currencyFee, paid, prices.paid)
    return isOwn(request) ? charged : charged + this.#crossing(request, prices)
  }

  /** Cost of paying another currency than is taken: the flat part and the conversion. */
  #crossing({ taken: { currency, amount }, currency: paid }: ClaimRequest, prices: ClaimPrices): bigint {
    const { settings, balanceCurrency } = this.#deps
    const flat = amountForUsd(settings.claimFee, currency, prices.taken, 'up')
    return balanceCurrency === null
      ? flat
      : flat + applyBps(amount, conversionBps(balanceCurrency, currency, paid), 'up')
  }

  /** What is left of the amount after the fee, as far as a payment can carry it. */
  #paid({ taken, chain, currency }: ClaimRequest, prices: ClaimPrices, fee: bigint): bigint {
    const left = taken.amount - fee
    const amount =
      left <= 0n
        ? 0n
        : divide(
            left * prices.taken * powerOfTen(currency.decimals),
            prices.paid * powerOfTen(taken.currency.decimals),
            'down',
          )
    const paid = amount === 0n ? 0n : largestPayable(chain.adapter, { currency: currency.address, amount })
    if (paid > 0n) return paid
    throw new ServiceError('AMOUNT_TOO_LOW', 'The amount does not cover what it costs to pay it there')
  }
}

interface ClaimCost {
  readonly network: bigint
  readonly currencyFee: bigint
}

const isOwn = ({ taken: { currency: own }, currency }: ClaimRequest): boolean =>
  own.chainId === currency.chainId && own.address === currency.address

const payoutOf = ({ id, chain, currency, recipient }: ClaimRequest, amount: bigint) => ({
  purpose: 'claim' as const,
  orderId: id,
  from: chain.config.solver,
  to: recipient,
  money: { currency: currency.address, amount },
  calls: [],
})

const costOf = async (request: ClaimRequest, amount: bigint, simulation?: Simulation): Promise<ClaimCost> => {
  const { network, currencyFee = 0n } = await request.chain.adapter.estimatePayoutFee(
    payoutOf(request, amount),
    simulation,
  )
  return { network: network.amount, currencyFee }
}

/** Throws ServiceError where the chain says that the recipient cannot be paid. */
const simulate = async (request: ClaimRequest, amount: bigint): Promise<Simulation> => {
  const simulation = await request.chain.adapter.simulate(payoutOf(request, amount))
  if (simulation.ok || simulation.kind === 'insufficient-funds' || simulation.kind === 'transient') return simulation
  throw new ServiceError('DESTINATION_TX_FAILED', `body.recipient cannot be paid: ${simulation.message}`)
}

const gasOf = (simulation: Simulation): bigint | null => (simulation.ok ? simulation.gas : null)
