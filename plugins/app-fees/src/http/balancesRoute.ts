import type { Currency } from '@causeway/core'
import {
  type DatabasePool,
  defineRoute,
  formatUsd,
  MessageSchema,
  type Route,
  readAppBalances,
  roundUsd,
  type Usd,
  usdValue,
} from '@causeway/core/plugin'
import type { ClaimDesk } from '../claims/claimDesk.js'
import { type OwedCurrenciesDeps, owedAmount, owedCurrency, pricesOf, walletOf } from './owedCurrencies.js'
import { BalancesAnswer, WalletParams } from './schemas.js'

export interface BalancesRouteDeps extends OwedCurrenciesDeps {
  readonly pool: DatabasePool
  readonly desk: Pick<ClaimDesk, 'minimumOf'>
}

/** A balance and what it is worth. */
interface ValuedBalance {
  readonly currency: Currency
  readonly price: Usd
  /** What can be claimed, and what is held for fast fills. */
  readonly free: bigint
  readonly held: bigint
}

/** Dollars of the wire that are numbers (wire.md 4.12): six decimals at most. */
const numberOf = (usd: Usd): number => Number(formatUsd(usd))

const valued = async (deps: BalancesRouteDeps, wallet: string): Promise<ValuedBalance[]> => {
  const owed = (await readAppBalances(deps.pool, wallet)).filter(({ app, collateral }) => app + collateral > 0n)
  const currencies = await Promise.all(owed.map(({ chainId, currency }) => owedCurrency(deps, chainId, currency)))
  const prices = await pricesOf(deps.prices, currencies)
  return owed.flatMap(({ app: free, collateral: held }, at) => {
    const currency = currencies[at]
    return currency === undefined ? [] : [{ currency, free, held, price: prices[at] ?? 0n }]
  })
}

/** Of a currency that is not configured no part is claimed until it is configured again. */
const leastOf = async ({ currencies, desk }: BalancesRouteDeps, currency: Currency, whole: bigint): Promise<bigint> =>
  currencies.find(currency.chainId, currency.address) === undefined ? whole : desk.minimumOf(currency)

/** What a wallet is owed and what of it is free, each with what it is worth. */
export const balancesOf = async (deps: BalancesRouteDeps, wallet: string) => {
  const balances = await valued(deps, wallet)
  const shown = balances.map(async ({ currency, price, free, held }) => {
    const minimumAmount = await leastOf(deps, currency, free + held)
    return owedAmount({ currency, amount: free + held }, price, { minimumAmount })
  })
  const sum = (part: 'free' | 'held'): Usd =>
    balances.reduce((usd, item) => usd + roundUsd(usdValue({ ...item, amount: item[part] }, item.price)), 0n)
  const [free, held] = [sum('free'), sum('held')]
  return {
    balances: await Promise.all(shown),
    totalBalanceUsd: numberOf(free + held),
    outstandingFastFillBalanceUsd: numberOf(held),
    availableBalanceUsd: numberOf(free),
  }
}

/** `GET /app-fees/{wallet}/balances` (wire.md 4.12). What is earned counts once it is settled. */
export const balancesRoute = (deps: BalancesRouteDeps): Route =>
  defineRoute({
    method: 'GET',
    path: '/app-fees/:wallet/balances',
    summary: 'What a wallet is owed',
    description:
      'Settled money only: what fills earned counts once they and their deposits are final. A currency that is not configured any more counts too, where its chain and a price source still know it.',
    tags: ['app fees'],
    bucket: 'other',
    auth: 'optional',
    params: WalletParams,
    responses: { 200: BalancesAnswer, 400: MessageSchema },
    exactErrors: () => true,
    handler: ({ params }) => balancesOf(deps, walletOf(deps.chains, params.wallet)),
  })
