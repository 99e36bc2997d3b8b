import { type Currency, type CurrencyRegistry, type Money, ServiceError } from '@causeway/core'
import type { Prices } from '@causeway/core/chain'
import {
  type AmountJson,
  type AmountOptions,
  amountObject,
  type ChainRegistry,
  HttpError,
  type Usd,
  unlistedCurrency,
} from '@causeway/core/plugin'

export interface OwedCurrenciesDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
}

/** The wallet of a path as the ledger names it: an EVM address in lower case, any other as its chain writes it. Throws HttpError 400. */
export const walletOf = (chains: ChainRegistry, text: string): string => {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return text.toLowerCase()
  for (const { adapter } of chains.all()) {
    const check = adapter.validateAddress(text)
    if (check.ok) return check.canonical
  }
  throw new HttpError(400, 'path.wallet is not an address of a chain that is served here')
}

/** A currency that is not configured any more, as its chain describes it; null where the chain cannot say. */
const readCurrency = async (chains: ChainRegistry, chainId: number, address: string): Promise<Currency | null> => {
  const chain = chains.find(chainId)
  const facts = await chain?.adapter.readToken?.(address).catch(() => null)
  if (chain === undefined || facts === undefined || facts === null) return null
  return unlistedCurrency(chain, address, facts)
}

/** Of a chain that is gone as well: the smallest unit is all there is to show. */
const unknownCurrency = (chainId: number, address: string): Currency => ({
  ...{ chainId, address, symbol: '', name: '', decimals: 0, vmType: '', groupId: `${chainId}:${address}` },
  metadata: { logoURI: '', verified: false, isNative: false },
})

/** The currency of a balance or claim, configured or not. */
export const owedCurrency = async (
  { chains, currencies }: Pick<OwedCurrenciesDeps, 'chains' | 'currencies'>,
  chainId: number,
  address: string,
): Promise<Currency> => {
  const native = currencies.native(chainId)
  const known = currencies.find(chainId, address) ?? (native?.address === address ? native : undefined)
  return known ?? (await readCurrency(chains, chainId, address)) ?? unknownCurrency(chainId, address)
}

/** AMOUNT of such a currency; the VM of a chain that is gone is left out (wire.md 0.2). */
export const owedAmount = (money: Money, price: Usd, options: AmountOptions = {}): AmountJson => {
  const shown = amountObject(money, price, options)
  if (money.currency.vmType !== '') return shown
  const { vmType: _, ...currency } = shown.currency
  return { ...shown, currency }
}

/** Prices of currencies; 0 of one that no source knows. Throws ServiceError `PRICE_FETCH_FAILED`. */
export const pricesOf = async (prices: Prices, currencies: readonly Currency[]): Promise<readonly Usd[]> =>
  Promise.all(
    currencies.map(async (currency) => {
      try {
        const [price] = await prices.get([currency])
        return price?.usd ?? 0n
      } catch (error) {
        if (ServiceError.is(error) && error.code === 'UNSUPPORTED_CURRENCY') return 0n
        throw error
      }
    }),
  )
