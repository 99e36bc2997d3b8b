import {
  type ChainRegistry,
  type Currency,
  type CurrencyRegistry,
  defineRoute,
  formatUsd,
  MessageSchema,
  type Prices,
  type Route,
  ServiceError,
  usdValue,
} from '@causeway/core'
import { type Static, Type } from '@sinclair/typebox'
import type { BalanceReader } from './balanceReader.js'
import { openChain } from './openChain.js'

export interface LiquidityRouteDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly balances: BalanceReader
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

const entryOf = (currency: Currency, amount: bigint, usd: bigint): Static<typeof Entry> => ({
  chainId: currency.chainId,
  currencyId: currency.groupId,
  symbol: currency.symbol,
  address: currency.address,
  decimals: currency.decimals,
  balance: amount.toString(),
  amountUsd: formatUsd(usdValue({ currency, amount }, usd)),
})

/** `GET /chains/liquidity`: what the solver holds on a chain (wire.md 4.7). */
export const liquidityRoute = ({ chains, currencies, prices, balances }: LiquidityRouteDeps): Route =>
  defineRoute({
    method: 'GET',
    path: '/chains/liquidity',
    summary: 'What the solver holds on a chain',
    tags: ['chains'],
    bucket: 'other',
    auth: 'optional',
    query: Type.Object({ chainId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    responses: { 200: Type.Object({ liquidity: Type.Array(Entry) }), 400: MessageSchema, 503: MessageSchema },
    cache: 'public, max-age=15',
    handler: async ({ query: { chainId } }) => {
      const chain = openChain(chains, chainId)
      const held = currencies.ofChain(chainId)
      const { solver } = chain.config
      if (solver === '') throw new ServiceError('SERVICE_UNAVAILABLE', 'The solver of this chain is not known here')
      const [amounts, worth] = await Promise.all([
        balances.read(
          chain,
          held.map(({ address }) => ({ address: solver, currency: address })),
        ),
        prices.get(held),
      ])
      return { liquidity: held.map((currency, at) => entryOf(currency, amounts[at] ?? 0n, worth[at]?.usd ?? 0n)) }
    },
  })
