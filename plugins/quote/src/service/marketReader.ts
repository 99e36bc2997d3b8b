import {
  BoundedCache,
  type ChainMoney,
  type Clock,
  type CurrencyRegistry,
  type DepositRequest,
  type FeeQuote,
  type Hex,
  type Money,
  type Payout,
  type Prices,
  requireQuorum,
  type Simulation,
  type Usd,
} from '@causeway/core'
import type { QuoteSettings } from '../options.js'
import type { ResolvedRoute, RouteEnd } from './resolveRoute.js'

/** What one whole unit costs, in dollars. */
export interface RoutePrices {
  readonly origin: Usd
  readonly destination: Usd
  readonly originNative: Usd
  readonly destinationNative: Usd
}

/** What the chains and the price sources say now, as far as a quote needs it. */
export interface Market {
  readonly prices: RoutePrices
  /** Network fee of the user's deposit. */
  readonly depositFee: Money
  /** Network fee of the fill. */
  readonly payoutFee: Money
  /** What the output currency itself takes of the solver beyond the payment, as far as the amount is known. */
  readonly currencyFee: Money
  readonly simulation: Simulation
  /** Of the input currency; 0 when it is not known. */
  readonly userBalance: bigint
}

export interface MarketReaderDeps {
  readonly prices: Prices
  readonly currencies: CurrencyRegistry
  readonly clock: Clock
  readonly settings: QuoteSettings
}

/** Stands in for the id of an order that does not exist yet; bytes that cost as much as a real one's. */
const PLACEHOLDER_ORDER: Hex = `0x${'ff'.repeat(32)}`

/** As a deposit request names who else pays. */
export const feePayerOf = ({ feePayer }: ResolvedRoute): Pick<DepositRequest, 'feePayer'> =>
  feePayer === null ? {} : { feePayer }

const ignore = (): void => {}

/** Asks both chains and the price sources at the same time and remembers the answers for as long as the options say. */
export class MarketReader {
  readonly #deps: MarketReaderDeps
  readonly #simulations: BoundedCache<Simulation>
  readonly #fees: BoundedCache<FeeQuote>
  readonly #balances: BoundedCache<bigint>

  constructor(deps: MarketReaderDeps) {
    this.#deps = deps
    const { clock, settings } = deps
    const cache = <Value>(lifeOf: (value: Value) => number) =>
      new BoundedCache<Value>({ clock, maxEntries: settings.cacheEntries, lifeOf })
    this.#simulations = cache((simulation) => (isLasting(simulation) ? settings.simulationCacheMs : 0))
    this.#fees = cache((fee) => (fee.currencyFee === undefined ? Math.min(fee.validForMs, settings.feeCacheMs) : 0))
    this.#balances = cache(() => settings.balanceCacheMs)
  }

  /**
   * `paid` and `sent` are the amounts as far as they are known before fees. Throws the ServiceError of the first part
   * that failed in the order prices, chains; a failed simulation is returned.
   */
  async read(
    route: ResolvedRoute,
    amounts: { readonly paid: bigint; readonly sent: bigint },
    explicitDeposit: boolean,
  ): Promise<Market> {
    const { origin, destination } = route
    const prices = this.prices(route)
    const depositFee = this.#depositFee(route, amounts.paid, explicitDeposit)
    const userBalance = this.#balance(origin, route.user)
    origin.chain.adapter.prefetchDeposit?.({
      from: route.user,
      money: { currency: origin.currency.address, amount: amounts.paid },
      explicitDeposit,
      ...feePayerOf(route),
    })
    const payout = this.payout(route, amounts.sent)
    // Failures are met below, one at a time and in the order that decides which one answers.
    for (const part of [prices, depositFee, userBalance, payout]) part.catch(ignore)
    const market = {
      prices: await prices,
      depositFee: await depositFee,
      ...(await payout),
      userBalance: await userBalance,
    }
    // After the answers: they may have come from the last node that is left of a chain (faults.md F06).
    for (const end of [origin, destination]) requireQuorum(end.chain)
    return market
  }

  async prices({ origin, destination }: Pick<ResolvedRoute, 'origin' | 'destination'>): Promise<RoutePrices> {
    const currencies = [origin.currency, destination.currency, origin.native, destination.native] as const
    const [paid, got, originNative, destinationNative] = await this.#deps.prices.get(currencies)
    if (!paid || !got || !originNative || !destinationNative) throw new Error('The price service left prices out')
    return {
      origin: paid.usd,
      destination: got.usd,
      originNative: originNative.usd,
      destinationNative: destinationNative.usd,
    }
  }

  /** Whether the recipient can be paid, and what the network takes for it. */
  async payout(
    { destination, recipient }: Pick<ResolvedRoute, 'destination' | 'recipient'>,
    amount: bigint,
  ): Promise<Pick<Market, 'payoutFee' | 'currencyFee' | 'simulation'>> {
    const { adapter, config } = destination.chain
    const { address } = destination.currency
    const payout: Payout = {
      purpose: 'fill',
      orderId: PLACEHOLDER_ORDER,
      from: config.solver,
      to: recipient,
      money: { currency: address, amount },
      calls: [],
    }
    const key = `${config.id}:${address}:${recipient.address}:${recipient.tag ?? ''}`
    const [simulation, typical] = await Promise.all([
      this.#simulations.get(key, () => adapter.simulate(payout)),
      this.#fees.get(`payout:${config.id}:${address}`, () => adapter.estimatePayoutFee(payout)),
    ])
    // The fee level was just read, so the gas of the simulation costs no further round trip.
    const fee = simulation.ok
      ? await this.#fees.get(`payout:${key}`, () => adapter.estimatePayoutFee(payout, simulation))
      : typical
    const currencyFee = { currency: destination.currency, amount: fee.currencyFee ?? 0n }
    return { payoutFee: this.#money(destination, fee.network), currencyFee, simulation }
  }

  async #depositFee(route: ResolvedRoute, amount: bigint, explicitDeposit: boolean): Promise<Money> {
    const { origin, user } = route
    const { adapter, config } = origin.chain
    const { address } = origin.currency
    const request: DepositRequest = {
      from: user,
      money: { currency: address, amount },
      orderId: PLACEHOLDER_ORDER,
      explicitDeposit,
      ...feePayerOf(route),
    }
    const key = `deposit:${config.id}:${address}:${explicitDeposit}:${route.feePayer === null ? '' : 'payer'}`
    const fee = await this.#fees.get(key, () => adapter.estimateDepositFee(request))
    return this.#money(origin, fee.network)
  }

  /** For show only, so a chain that cannot tell makes it 0 (wire.md 1.6 userBalance). */
  async #balance({ chain, currency }: RouteEnd, user: string): Promise<bigint> {
    const key = `${chain.config.id}:${currency.address}:${user}`
    const read = async () => {
      const { amounts } = await chain.adapter.getBalances([{ address: user, currency: currency.address }])
      return amounts[0] ?? 0n
    }
    return this.#balances.get(key, read).catch(() => 0n)
  }

  #money({ chain, native }: RouteEnd, { currency, amount }: ChainMoney): Money {
    if (currency === native.address) return { currency: native, amount }
    const known = this.#deps.currencies.find(chain.config.id, currency)
    if (known === undefined) throw new Error(`Chain ${chain.config.id} charges fees in an unlisted currency`)
    return { currency: known, amount }
  }
}

/** A shortage of funds or a silent node says nothing about the next quote. */
const isLasting = (simulation: Simulation): boolean =>
  simulation.ok || simulation.kind === 'recipient-cannot-receive' || simulation.kind === 'too-large'
