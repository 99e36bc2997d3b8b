import { BoundedCache, type Currency, type CurrencyRegistry, ServiceError } from '@causeway/core'
import type { Prices } from '@causeway/core/chain'
import {
  type Chain,
  type ChainRegistry,
  defineRoute,
  formatUsd,
  MessageSchema,
  type Route,
  type Usd,
  usdValue,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import type { BalanceReader } from './balanceReader.js'
import { openChain } from './openChain.js'

export interface LiquidityRouteDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly balances: BalanceReader
  /** Milliseconds that only grow. */
  now(): number
}

const Entry = Type.Object({
  chainId: Type.Integer(),
  currencyId: Type.String({ description: 'The same asset on several chains shares it' }),
  symbol: Type.String(),
  address: Type.String(),
  decimals: Type.Integer(),
  balance: Type.String({ description: 'In the smallest unit' }),
  amountUsd: Type.String(),
})

const Liquidity = Type.Object({ liquidity: Type.Array(Entry) })

const entryOf = (currency: Currency, amount: bigint, usd: Usd): Static<typeof Entry> => ({
  chainId: currency.chainId,
  currencyId: currency.groupId,
  symbol: currency.symbol,
  address: currency.address,
  decimals: currency.decimals,
  balance: amount.toString(),
  amountUsd: formatUsd(usdValue({ currency, amount }, usd)),
})

/** A currency nobody can price is shown as worth nothing, and does not hide the others. */
const priceOf = async (prices: Prices, currency: Currency): Promise<Usd> => {
  try {
    const [price] = await prices.get([currency])
    return price?.usd ?? 0n
  } catch (error) {
    if (ServiceError.is(error) && error.code === 'UNSUPPORTED_CURRENCY') return 0n
    throw error
  }
}

const KEEP_MS = 5_000
const MAX_KEPT = 1_000

/** What the solver of a chain holds and what it is worth. */
const readLiquidity = async (
  chain: Chain,
  { currencies, prices, balances }: LiquidityRouteDeps,
): Promise<Static<typeof Liquidity>> => {
  const { id, solver } = chain.config
  if (solver === '') throw new ServiceError('SERVICE_UNAVAILABLE', 'The solver of this chain is not known here')
  const held = currencies.ofChain(id)
  const queries = held.map(({ address }) => ({ address: solver, currency: address }))
  const [amounts, worth] = await Promise.all([
    balances.read(chain, queries),
    Promise.all(held.map((currency) => priceOf(prices, currency))),
  ])
  return { liquidity: held.map((currency, at) => entryOf(currency, amounts[at] ?? 0n, worth[at] ?? 0n)) }
}

/** `GET /chains/liquidity`: what the solver holds on a chain (wire.md 4.7), read anew every five seconds at most. */
export const liquidityRoute = (deps: LiquidityRouteDeps): Route => {
  const cache = new BoundedCache<Static<typeof Liquidity>>({
    clock: { now: deps.now },
    maxEntries: MAX_KEPT,
    lifeOf: () => KEEP_MS,
  })
  return defineRoute({
    method: 'GET',
    path: '/chains/liquidity',
    summary: 'What the solver holds on a chain',
    tags: ['chains'],
    bucket: 'other',
    auth: 'optional',
    query: Type.Object({ chainId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    responses: { 200: Liquidity, 400: MessageSchema, 503: MessageSchema },
    cache: 'public, max-age=15',
    handler: ({ query: { chainId } }) => {
      const chain = openChain(deps.chains, chainId)
      return cache.get(String(chainId), () => readLiquidity(chain, deps))
    },
  })
}
