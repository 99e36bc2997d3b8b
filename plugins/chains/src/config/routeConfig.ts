import {
  BoundedCache,
  type Currency,
  type CurrencyRegistry,
  divide,
  larger,
  powerOfTen,
  ServiceError,
  smaller,
} from '@causeway/core'
import type { Payout, Price, Prices } from '@causeway/core/chain'
import type { ChainRegistry, QuoteStore } from '@causeway/core/plugin'
import type { BalanceReader } from '../balanceReader.js'
import type { CurrencyPair, Ends } from './configCurrency.js'

export interface RouteConfigDeps {
  readonly chains: Pick<ChainRegistry, 'isServed' | 'gapOf'>
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly store: Pick<QuoteStore, 'available'>
  readonly balances: BalanceReader
  /** Milliseconds that only grow. */
  now(): number
}

const KEEP_MS = 5_000
const MAX_KEPT = 1_000
const ORDER = `0x${'ff'.repeat(32)}` as const

/** Answers what a route can carry now (wire.md 4.9), from balances, inventory, fees and prices a few seconds old. */
export class RouteConfig {
  readonly #deps: RouteConfigDeps
  readonly #costs: BoundedCache<bigint>
  readonly #rates: BoundedCache<readonly [Price, Price]>

  constructor(deps: RouteConfigDeps) {
    this.#deps = deps
    const kept = { clock: { now: deps.now }, maxEntries: MAX_KEPT, lifeOf: () => KEEP_MS }
    this.#costs = new BoundedCache(kept)
    this.#rates = new BoundedCache(kept)
  }

  /** Throws ServiceError for a malformed user, or when chain, price or inventory cannot be read. */
  async read(ends: Ends, pair: CurrencyPair, user: string | undefined) {
    const { solver } = ends.destination.config
    const { chains } = this.#deps
    const address = user === undefined ? undefined : userOf(ends, user)
    const [balance, capacity, owned, fee] = await Promise.all([
      address === undefined || pair.origin === undefined ? 0n : this.#balance(ends.origin, address, pair.origin),
      pair.destination === undefined ? 0n : this.#capacity(pair.destination),
      pair.destination === undefined ? 0n : this.#balance(ends.destination, solver, pair.destination),
      this.#fee(ends, pair),
    ])
    const most = balance === 0n ? 0n : await this.#most(ends, pair, { balance, capacity, fee })
    const held = pair.origin !== undefined && pair.destination !== undefined
    return {
      enabled: held && isOpen(chains, ends),
      user: { balance: balance.toString(), maxBridgeAmount: most.toString() },
      solver: { address: solver, balance: owned.toString(), capacityPerRequest: capacity.toString() },
      // No source of liquidity beside the solver's own exists here.
      supportsExternalLiquidity: false,
      fee: fee.toString(),
    }
  }

  async #balance(chain: Ends['origin'], address: string, { address: currency }: Currency): Promise<bigint> {
    if (address === '') throw new ServiceError('SERVICE_UNAVAILABLE', 'The solver of this chain is not known here')
    const [amount] = await this.#deps.balances.read(chain, [{ address, currency }])
    return amount ?? 0n
  }

  /** What is not promised to others yet. */
  #capacity({ chainId, address }: Currency): Promise<bigint> {
    return this.#costs.get(`capacity:${chainId}:${address}`, async () => {
      const available = await this.#deps.store.available(chainId, address)
      if (available === null) {
        throw new ServiceError(
          'SERVICE_UNAVAILABLE',
          'The funds on the destination chain are not known yet. Try again.',
        )
      }
      return larger(available, 0n)
    })
  }

  /** Network cost of a fill, in the origin currency and rounded up. */
  async #fee({ destination }: Ends, { origin, destination: paid }: CurrencyPair): Promise<bigint> {
    const native = this.#deps.currencies.native(destination.config.id)
    if (origin === undefined || paid === undefined || native === undefined) return 0n
    const { id, solver } = destination.config
    const payout: Payout = {
      purpose: 'fill',
      orderId: ORDER,
      from: solver,
      to: { address: solver },
      money: { currency: paid.address, amount: 1n },
      calls: [],
    }
    const cost = await this.#costs.get(
      `payout:${id}:${paid.address}`,
      async () => (await destination.adapter.estimatePayoutFee(payout)).network.amount,
    )
    return this.#convert(cost, native, origin, 'up')
  }

  async #most(
    { origin: chain }: Ends,
    { origin, destination }: CurrencyPair,
    { balance, capacity, fee }: { readonly balance: bigint; readonly capacity: bigint; readonly fee: bigint },
  ): Promise<bigint> {
    if (origin === undefined || destination === undefined) return 0n
    const deposit = origin.metadata.isNative ? await this.#depositCost(chain, origin) : 0n
    return smaller(larger(balance - deposit - fee, 0n), await this.#convert(capacity, destination, origin, 'down'))
  }

  /** The network takes it from a native balance beside the amount. */
  #depositCost({ config, adapter }: Ends['origin'], { address }: Currency): Promise<bigint> {
    return this.#costs.get(`deposit:${config.id}`, async () => {
      const request = { from: config.solver, money: { currency: address, amount: 1n }, orderId: ORDER }
      return (await adapter.estimateDepositFee({ ...request, explicitDeposit: true })).network.amount
    })
  }

  async #convert(amount: bigint, from: Currency, to: Currency, rounding: 'up' | 'down'): Promise<bigint> {
    const scale = { from: powerOfTen(from.decimals), to: powerOfTen(to.decimals) }
    if (from.groupId === to.groupId) return divide(amount * scale.to, scale.from, rounding)
    const key = `${from.chainId}:${from.address}:${to.chainId}:${to.address}`
    const [own, other] = await this.#rates.get(key, () => this.#prices(from, to))
    return divide(amount * own.usd * scale.to, other.usd * scale.from, rounding)
  }

  /** The caller asks for no more than we list, so a price that is missing is our failure. */
  async #prices(from: Currency, to: Currency): Promise<readonly [Price, Price]> {
    try {
      const [own, other] = await this.#deps.prices.get([from, to])
      if (own === undefined || other === undefined) throw new Error('The price service left prices out')
      return [own, other]
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      throw new ServiceError('PRICE_FETCH_FAILED', 'A currency of this route has no price now', { cause: error })
    }
  }
}

/** Whether quotes from the one to the other are taken now. */
const isOpen = (chains: RouteConfigDeps['chains'], { origin, destination }: Ends): boolean =>
  chains.isServed(origin) &&
  chains.isServed(destination) &&
  (chains.gapOf(origin.config.id)?.from ?? chains.gapOf(destination.config.id)?.to ?? null) === null

const userOf = ({ origin }: Ends, user: string): string => {
  const check = origin.adapter.validateAddress(user)
  if (!check.ok) throw new ServiceError('INVALID_ADDRESS', `query.user is no address of the origin chain: ${check.why}`)
  return check.canonical
}
