import { BoundedCache, type Clock, type CurrencyRegistry, destinationText, type Money } from '@causeway/core'
import type { ChainMoney, DepositRequest, FeeQuote, Payout, RecipientStatus, Simulation } from '@causeway/core/chain'
import type { QuoteSettings } from '../../options.js'
import { PLACEHOLDER_ORDER } from '../route/fillRequest.js'
import type { ResolvedRoute, RouteEnd } from '../route/resolveRoute.js'
import { receivedOf, withLeast } from './recipientLeast.js'

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

/** As a deposit request names who else pays. */
export const feePayerOf = ({ feePayer }: ResolvedRoute): Pick<DepositRequest, 'feePayer'> =>
  feePayer === null ? {} : { feePayer }

/** Asks the chains and remembers the answers for as long as the options say. */
export class MarketReader {
  readonly #deps: MarketReaderDeps
  readonly #simulations: BoundedCache<Simulated>
  readonly #ofAmounts: BoundedCache<Simulation>
  readonly #fees: BoundedCache<FeeQuote>
  readonly #balances: BoundedCache<bigint>
  readonly #recipients: BoundedCache<RecipientStatus>

  constructor(deps: MarketReaderDeps) {
    this.#deps = deps
    const { clock, settings } = deps
    const cache = <Value>(lifeOf: (value: Value) => number) =>
      new BoundedCache<Value>({ clock, maxEntries: settings.cacheEntries, lifeOf })
    this.#simulations = cache(({ simulation }) => (isGeneral(simulation) ? settings.simulationCacheMs : 0))
    this.#ofAmounts = cache((simulation) => (isLasting(simulation) ? settings.simulationCacheMs : 0))
    this.#fees = cache((fee) => (fee.currencyFee === undefined ? Math.min(fee.validForMs, settings.feeCacheMs) : 0))
    this.#balances = cache(() => settings.balanceCacheMs)
    this.#recipients = cache(({ canReceive }) => (canReceive ? settings.simulationCacheMs : 0))
  }

  /** Network fee of the deposit and balance of the user, asked at the same time. */
  async origin(
    route: ResolvedRoute,
    deposit: Omit<DepositRequest, 'orderId'>,
  ): Promise<Pick<Market, 'depositFee' | 'depositTaken' | 'userBalance'>> {
    const { origin } = route
    origin.chain.adapter.prefetchDeposit?.(deposit)
    const userBalance = this.balance(route)
    const fee = await this.#depositFee(origin, deposit)
    const depositFee = this.inCurrency(origin, fee.network)
    return { depositFee, depositTaken: fee.currencyFee ?? 0n, userBalance: await userBalance }
  }

  /**
   * Simulation and network fee of a fill; one without calls is remembered by recipient, and serves another amount only where the
   * chain says that it makes no difference (faults.md F127).
   */
  async payout(end: RouteEnd, payout: Payout): Promise<Pick<Market, 'payoutFee' | 'currencyFee' | 'simulation'>> {
    const { adapter } = end.chain
    const key = keyOf(payout, end)
    const [simulation, typical] = await Promise.all([
      this.#bounded(end, payout, key === null ? adapter.simulate(payout) : this.#simulate(end, payout, key)),
      this.#typical(end, payout),
    ])
    // The fee level was just read, so the gas of the simulation costs no further round trip.
    const exact = () => adapter.estimatePayoutFee(payout, simulation)
    const feeKey = isGeneral(simulation) ? `payout:${key}` : `payout:${key}:${payout.money.amount}`
    const fee = simulation.ok ? await (key === null ? exact() : this.#fees.get(feeKey, exact)) : typical
    return { payoutFee: this.inCurrency(end, fee.network), currencyFee: fee.currencyFee ?? 0n, simulation }
  }

  /** What a simulation says, and the recipient's own account where the chain declares that it matters. */
  async #bounded({ chain }: RouteEnd, payout: Payout, simulating: Promise<Simulation>): Promise<Simulation> {
    const { adapter, config } = chain
    const received = receivedOf(payout)
    if (adapter.capabilities.recipientLeast !== true || received === null) return simulating
    const { to } = payout
    const key = `${config.id}:${received.currency}:${destinationText(to)}`
    const asking = this.#recipients.get(key, () => adapter.recipientStatus(to, received.currency))
    const [simulation, status] = await Promise.all([simulating, asking])
    return withLeast(simulation, { received, status }, { chainId: config.id, currencies: this.#deps.currencies })
  }

  /** The answer for the recipient where there is one for any such amount, else that for this very amount. */
  async #simulate({ chain }: RouteEnd, payout: Payout, key: string): Promise<Simulation> {
    const { amount } = payout.money
    const ofAmount = () => this.#ofAmounts.get(`${key}:${amount}`, () => chain.adapter.simulate(payout))
    const known = await this.#simulations.get(key, async () => ({ simulation: await ofAmount(), amount }))
    return standsFor(known, amount) ? known.simulation : ofAmount()
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
  async balance({ origin: { chain, currency }, user, placeholder }: ResolvedRoute): Promise<bigint> {
    // Nobody's: and an address that all the world knows may hold more coins than a node cares to list.
    if (placeholder.user) return 0n
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

/** A simulation and the amount it was made with. */
export interface Simulated {
  readonly simulation: Simulation
  readonly amount: bigint
}

const isGeneral = (simulation: Simulation): boolean => simulation.ok && simulation.leastAmount !== undefined

/** Whether a simulation says what one with `amount` would say. */
export const standsFor = ({ simulation, amount: simulated }: Simulated, amount: bigint): boolean =>
  simulated === amount || (simulation.ok && simulation.leastAmount !== undefined && amount >= simulation.leastAmount)

/** Under which a simulation stands for others too, amounts apart; null: it is about itself alone. */
const keyOf = ({ money, to, calls, swap, topup }: Payout, { chain }: RouteEnd): string | null => {
  if (calls.length > 0) return null
  const swapped = swap === undefined ? '' : `${swap.offer.source}:${swap.offer.to}:${swap.minimumOut}`
  return `${chain.config.id}:${money.currency}:${destinationText(to)}:${swapped}:${topup ?? ''}`
}

/** Whether a simulation holds for later quotes. A recipient that cannot receive may open its account at any time, as the refusal advises. */
const isLasting = (simulation: Simulation): boolean => simulation.ok || simulation.kind === 'too-large'
