import type { Price } from '@causeway/core/chain'
import { formatUsd, usdValue } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { type ShownMoney, shown } from '../text/moneyText.js'
import { type Comparison, compareBalances } from './compareBalances.js'
import { daysOfCover, readPaidInWeek } from './cover.js'
import { findMoves, type Move } from './moves.js'
import { type Books, readBookedCurrencies, readBooks } from './readBooks.js'
import { type ChainBalances, readChainBalances } from './readChainBalances.js'

/** The answer of `causeway inventory --json`; amounts in the smallest unit. */
export interface InventoryReport {
  readonly schemaVersion: 1
  readonly at: string
  readonly chains: readonly ChainInventory[]
  /** One for each currency that runs short, shortest first. */
  readonly moves: readonly Move[]
}

export interface ChainInventory {
  readonly chainId: number
  readonly slug: string
  readonly reachable: boolean
  /** Why it could not be asked; null when it could. */
  readonly why: string | null
  /** Block the balances are of. */
  readonly height: string | null
  readonly wallet: string
  readonly depository: string
  /** Gas of the keys that send for users; null where none does. */
  readonly senders: SenderInventory | null
  readonly currencies: readonly CurrencyInventory[]
}

export interface SenderInventory {
  readonly currency: Omit<ShownMoney, 'amount'>
  readonly onChain: string | null
  readonly booked: string
  readonly difference: string | null
  readonly explanation: string | null
}

export interface CurrencyInventory {
  readonly currency: Omit<ShownMoney, 'amount'>
  /** Null where the chain could not be asked; then `available` counts on what was seen last. */
  readonly onChain: string | null
  /** Of `onChain`, what the chain never lets go: no part of `available`. */
  readonly reserved: string
  readonly booked: string
  readonly difference: string | null
  readonly explanation: string | null
  readonly unpaid: string
  readonly owedFills: string
  readonly holds: string
  readonly available: string
  /** What fills that succeeded in the last seven days were to deliver of it. */
  readonly paidInWeek: string
  /** For how many days `available` lasts at that pace, with one decimal; null where nothing was paid. */
  readonly daysOfCover: string | null
  /** Dollars of `available` with six decimals, null where it has no price now. */
  readonly availableUsd: string | null
  readonly depositoryOnChain: string | null
  readonly depositoryBooked: string
  readonly depositoryDifference: string | null
  readonly depositoryExplanation: string | null
  /** Of the depository, what fills and refunds have already paid for. */
  readonly withdrawable: string
  /** What lies at addresses to pay to by the books: nobody's until a sweep brings it into the depository. */
  readonly atAddresses: string
}

/** Reads chains and books; one batched call per chain and four statements. */
export const readInventory = async (deps: OperatorDeps): Promise<InventoryReport> => {
  const balances = await readChainBalances(deps, await readBookedCurrencies(deps.pool))
  const books = await readBooks(deps.pool, balances.map(toHeight), deps.clock.now())
  const known: Known = {
    books,
    prices: await readPrices(deps),
    paid: await (deps.paidInWeek?.() ?? readPaidInWeek(deps)),
  }
  const chains = balances.map((item) => chainInventory(deps, item, known))
  return {
    schemaVersion: 1,
    at: new Date(deps.clock.now()).toISOString(),
    chains,
    moves: findMoves(deps.currencies, chains),
  }
}

/** Where the balances of a chain were read. */
export const toHeight = ({ chain, seen }: ChainBalances) => ({
  chainId: chain.config.id,
  height: seen?.height ?? null,
  native: chain.adapter.native.address,
})

const keyOf = (chainId: number, currency: string): string => `${chainId} ${currency}`

/** What the database and the price sources say, whatever the chain. */
interface Known {
  readonly books: Books
  readonly prices: ReadonlyMap<string, Price>
  readonly paid: ReadonlyMap<string, bigint>
}

/** Prices are for show: a currency without one shows none. */
const readPrices = async ({ prices, currencies }: OperatorDeps): Promise<ReadonlyMap<string, Price>> => {
  const found = await Promise.all(
    currencies.all().map(async (currency): Promise<[string, Price | undefined]> => {
      const [price] = await prices.get([currency]).catch(() => [])
      return [keyOf(currency.chainId, currency.address), price]
    }),
  )
  return new Map(found.flatMap(([key, price]) => (price === undefined ? [] : [[key, price]])))
}

const chainInventory = (deps: OperatorDeps, balances: ChainBalances, known: Known): ChainInventory => {
  const { books } = known
  const { chain, seen, why } = balances
  const { id, slug, solver } = chain.config
  const comparisons = compareBalances(balances, books)
  const listed = seen === null ? deps.currencies.ofChain(id).map(({ address }) => address) : [...seen.wallet.keys()]
  const find = (currency: string, holder: Comparison['holder']) =>
    comparisons.find((item) => item.currency === currency && item.holder === holder)
  return {
    chainId: id,
    slug,
    reachable: seen !== null,
    why,
    height: seen?.height.toString() ?? null,
    wallet: solver,
    depository: chain.adapter.depository,
    senders: senderInventory(deps, balances, books, find(chain.adapter.native.address, 'senders')),
    currencies: listed.map((currency) =>
      currencyInventory(
        deps,
        { chainId: id, currency },
        known,
        find(currency, 'wallet'),
        find(currency, 'depository'),
        seen?.reserved.wallet.get(currency) ?? 0n,
      ),
    ),
  }
}

const senderInventory = (
  deps: OperatorDeps,
  { chain, seen }: ChainBalances,
  books: Books,
  found: Comparison | undefined,
): SenderInventory | null => {
  const money = { chainId: chain.config.id, currency: chain.adapter.native.address }
  const booked = books.get(money.chainId, money.currency, 'sender')
  if (booked === 0n && (seen?.senders ?? 0n) === 0n) return null
  const { amount: _, ...currency } = shown(deps.currencies, { ...money, amount: 0n })
  return {
    currency,
    booked: booked.toString(),
    onChain: found?.onChain.toString() ?? null,
    difference: found?.difference.toString() ?? null,
    explanation: found?.explanation ?? null,
  }
}

const currencyInventory = (
  deps: OperatorDeps,
  { chainId, currency }: { readonly chainId: number; readonly currency: string },
  { books, prices, paid }: Known,
  wallet: Comparison | undefined,
  depository: Comparison | undefined,
  reserved: bigint,
): CurrencyInventory => {
  const line = (name: Parameters<Books['get']>[2]): bigint => books.get(chainId, currency, name)
  const held = wallet === undefined ? line('last-seen') : wallet.onChain - reserved
  const available = held - line('unpaid') - line('owed-fills') - line('holds')
  const { amount: _, ...named } = shown(deps.currencies, { chainId, currency, amount: 0n })
  const known = deps.currencies.find(chainId, currency)
  const price = prices.get(keyOf(chainId, currency))
  const paidInWeek = paid.get(keyOf(chainId, currency)) ?? 0n
  return {
    currency: named,
    onChain: wallet?.onChain.toString() ?? null,
    booked: line('wallet').toString(),
    reserved: reserved.toString(),
    difference: wallet?.difference.toString() ?? null,
    explanation: wallet?.explanation ?? null,
    unpaid: line('unpaid').toString(),
    owedFills: line('owed-fills').toString(),
    holds: line('holds').toString(),
    available: available.toString(),
    paidInWeek: paidInWeek.toString(),
    daysOfCover: daysOfCover(available, paidInWeek),
    availableUsd:
      known === undefined || price === undefined
        ? null
        : formatUsd(usdValue({ currency: known, amount: available }, price.usd)),
    depositoryOnChain: depository?.onChain.toString() ?? null,
    depositoryBooked: line('depository').toString(),
    depositoryDifference: depository?.difference.toString() ?? null,
    depositoryExplanation: depository?.explanation ?? null,
    withdrawable: line('withdrawable').toString(),
    atAddresses: line('addresses').toString(),
  }
}
