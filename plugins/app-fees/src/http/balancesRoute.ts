import type { Currency, CurrencyRegistry } from '@causeway/core'
import type { Prices } from '@causeway/core/chain'
import {
  amountObject,
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
import { BalancesAnswer, WalletParams } from './schemas.js'

export interface BalancesRouteDeps {
  readonly pool: DatabasePool
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly desk: Pick<ClaimDesk, 'minimumOf'>
}

/** A balance in a currency that is configured, and what it is worth. */
interface ValuedBalance {
  readonly currency: Currency
  readonly price: Usd
  /** What can be claimed, and what is held for fast fills. */
  readonly free: bigint
  readonly held: bigint
}

/** Dollars of the wire that are numbers (wire.md 4.12): six decimals at most. */
const numberOf = (usd: Usd): number => Number(formatUsd(usd))

const valued = async ({ pool, currencies, prices }: BalancesRouteDeps, wallet: string): Promise<ValuedBalance[]> => {
  const known = (await readAppBalances(pool, wallet)).flatMap(({ chainId, currency: address, app, collateral }) => {
    const currency = currencies.find(chainId, address)
    return currency === undefined || app + collateral === 0n ? [] : [{ currency, free: app, held: collateral }]
  })
  const found = await prices.get(known.map(({ currency }) => currency))
  return known.map((balance, at) => ({ ...balance, price: found[at]?.usd ?? 0n }))
}

/** What a wallet is owed and what of it is free, each with what it is worth. */
export const balancesOf = async (deps: BalancesRouteDeps, wallet: string) => {
  const balances = await valued(deps, wallet)
  const shown = balances.map(async ({ currency, price, free, held }) => {
    const minimumAmount = await deps.desk.minimumOf(currency)
    return amountObject({ currency, amount: free + held }, price, { minimumAmount })
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
    description: 'Settled money only: what fills earned counts once they and their deposits are final.',
    tags: ['app fees'],
    bucket: 'other',
    auth: 'optional',
    params: WalletParams,
    responses: { 200: BalancesAnswer, 400: MessageSchema },
    handler: ({ params }) => balancesOf(deps, params.wallet.toLowerCase()),
  })
