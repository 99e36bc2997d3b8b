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
  type Simulation,
} from '@causeway/core'
import type { QuoteSettings } from '../options.js'
import type { ResolvedRoute, RouteEnd } from './resolveRoute.js'

/** What the chains say now, as far as a quote needs it. */
export interface Market {
  /** Network fee of the user's own transaction. */
  readonly depositFee: Money
  /** What the deposited currency itself keeps of the deposit, its smallest unit. */
  readonly depositTaken: bigint
  /** Of the input currency; 0 when it is not known. */
  readonly userBalance: bigint
  /** Network fee of the fill. */
  readonly payoutFee: Money
  /** What the paid currency itself takes of the solver beyond the payment, as far as the amount is known. */
  readonly currencyFee: bigint
  readonly simulation: Simulation
}

export interface MarketReaderDeps {
  readonly currencies: CurrencyRegistry
  readonly clock: Clock
  readonly settings: QuoteSettings
}

/** Stands in for the id of an order that does not exist yet; bytes that cost as much as a real one's. */
export const PLACEHOLDER_ORDER: Hex = `0x${'ff'.repeat(32)}`

/** As a deposit request names who else pays. */
export const feePayerOf = ({ feePayer }: ResolvedRoute): Pick<DepositRequest, 'feePayer'> =>
  feePayer === null ? {} : { feePayer }

/** Asks the chains and remembers the answers for as long as the options say. */
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

  /** Network fee of the deposit and balance of the user, asked at the same time. */
  async origin(
    route: ResolvedRoute,
    deposit: Omit<DepositRequest, 'orderId'>,
  ): Promise<Pick<Market, 'depositFee' | 'depositTaken' | 'userBalance'>> {
    const { origin } = route
    origin.chain.adapter.prefetchDeposit?.(deposit)
    const userBalance = this.balance(origin, route.user)
    const fee = await this.#depositFee(origin, deposit)
    const depositFee = this.inCurrency(origin, fee.network)
    return { depositFee, depositTaken: fee.currencyFee ?? 0n, userBalance: await userBalance }
  }

  /** Simulation and network fee of a fill; a plain one is remembered by recipient. */
  async payout(end: RouteEnd, payout: Payout): Promise<Pick<Market, 'payoutFee' | 'currencyFee' | 'simulation'>> {
    const { adapter } = end.chain
    const key = keyOf(payout, end)
    const [simulation, typical] = await Promise.all([
      key === null ? adapter.simulate(payout) : this.#simulations.get(key, () => adapter.simulate(payout)),
      this.#typical(end, payout),
    ])
    // The fee level was just read, so the gas of the simulation costs no further round trip.
    const exact = () => adapter.estimatePayoutFee(payout, simulation)
    const fee = simulation.ok ? await (key === null ? exact() : this.#fees.get(`payout:${key}`, exact)) : typical
    return { payoutFee: this.inCurrency(end, fee.network), currencyFee: fee.currencyFee ?? 0n, simulation }
  }

  /** Network fee of a fill before it was simulated. */
  async typicalPayoutFee(end: RouteEnd, payout: Payout): Promise<Money> {
    const fee = await this.#typical(end, payout)
    return this.inCurrency(end, fee.network)
  }

  #typical({ chain }: RouteEnd, payout: Payout): Promise<FeeQuote> {
    const { id } = chain.config
    const shape = `${payout.calls.length}:${payout.swap?.offer.gas ?? 0}:${payout.topup === undefined ? '' : 'topup'}`
    const key = `payout:${id}:${payout.money.currency}:${shape}`
    return this.#fees.get(key, () => chain.adapter.estimatePayoutFee(payout))
  }

  #depositFee({ chain }: RouteEnd, deposit: Omit<DepositRequest, 'orderId'>): Promise<FeeQuote> {
    const { adapter, config } = chain
    const request = { ...deposit, orderId: PLACEHOLDER_ORDER }
    const { currency } = deposit.money
    const form = `${deposit.explicitDeposit}:${deposit.feePayer === undefined ? '' : 'payer'}`
    // A swap makes each deposit another transaction.
    return deposit.originSwap === undefined
      ? this.#fees.get(`deposit:${config.id}:${currency}:${form}`, () => adapter.estimateDepositFee(request))
      : adapter.estimateDepositFee(request)
  }

  /** For show only, so a chain that cannot tell makes it 0 (wire.md 1.6 userBalance). */
  async balance({ chain, currency }: RouteEnd, user: string): Promise<bigint> {
    const key = `${chain.config.id}:${currency.address}:${user}`
    const read = async () => {
      const { amounts } = await chain.adapter.getBalances([{ address: user, currency: currency.address }])
      return amounts[0] ?? 0n
    }
    return this.#balances.get(key, read).catch(() => 0n)
  }

  /** A network's own charge with its currency. */
  inCurrency({ chain, native }: RouteEnd, { currency, amount }: ChainMoney): Money {
    if (currency === native.address) return { currency: native, amount }
    const known = this.#deps.currencies.find(chain.config.id, currency)
    if (known === undefined) throw new Error(`Chain ${chain.config.id} charges fees in an unlisted currency`)
    return { currency: known, amount }
  }
}

/** Under which a simulation stands for others too; null: it is about itself alone. */
const keyOf = ({ money, to, calls, swap, topup }: Payout, { chain }: RouteEnd): string | null => {
  if (calls.length > 0) return null
  const swapped = swap === undefined ? '' : `${swap.offer.source}:${swap.offer.to}`
  return `${chain.config.id}:${money.currency}:${to.address}:${to.tag ?? ''}:${swapped}:${topup === undefined ? '' : 'topup'}`
}

/** A shortage of funds or a silent node says nothing about the next quote. */
const isLasting = (simulation: Simulation): boolean =>
  simulation.ok || simulation.kind === 'recipient-cannot-receive' || simulation.kind === 'too-large'
