import type { CurrencyRegistry } from '@causeway/core'
import type { Prices } from '@causeway/core/chain'
import { quotedAmount, type RecordFacts, type Usd } from '@causeway/core/plugin'

/** How long records wait for prices: without them they only lack `amountUsdCurrent`. */
const PATIENCE_MS = 300

export interface CurrentPricesDeps {
  readonly prices: Prices
  readonly currencies: Pick<CurrencyRegistry, 'find' | 'native'>
}

/** What one whole unit costs now; null where that is not known. */
export type CurrentPrices = (chainId: number, address: string) => Usd | null

interface Place {
  readonly chainId: number
  readonly address: string
}

const keyOf = ({ chainId, address }: Place): string => `${chainId}:${address}`

const placesOf = (facts: RecordFacts): readonly Place[] => {
  const { origin, destination, swap } = facts.terms
  const quoted = ['details.currencyIn', 'details.currencyOut', 'fees.app', 'fees.subsidized']
  return [
    { chainId: origin.chainId, address: origin.currency },
    { chainId: destination.chainId, address: swap?.to ?? destination.currency },
    ...quoted.flatMap((path) => quotedAmount(facts, path)?.currency ?? []),
  ]
}

const withinPatience = async <T>(asked: Promise<T>): Promise<T | null> => {
  let timer: NodeJS.Timeout | undefined
  const tired = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS)
  })
  try {
    return await Promise.race([asked, tired])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The prices now of the currencies that the records of a page value again (`amountUsdCurrent`). Only currencies that the
 * configuration knows are asked for, and one without a price now is left out.
 */
export const currentPricesOf = async (
  { prices, currencies }: CurrentPricesDeps,
  page: readonly RecordFacts[],
): Promise<CurrentPrices> => {
  const places = new Map(page.flatMap(placesOf).map((place) => [keyOf(place), place]))
  const found = new Map<string, Usd>()
  const ask = async (key: string, { chainId, address }: Place): Promise<void> => {
    const native = currencies.native(chainId)
    const currency = currencies.find(chainId, address) ?? (native?.address === address ? native : undefined)
    if (currency === undefined) return
    const [price] = await prices.get([currency]).catch(() => [])
    if (price !== undefined) found.set(key, price.usd)
  }
  await withinPatience(Promise.all([...places].map(([key, place]) => ask(key, place))))
  return (chainId, address) => found.get(keyOf({ chainId, address })) ?? null
}
