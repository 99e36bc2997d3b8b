import { type Currency, ServiceError, systemClock } from '@causeway/core'
import type { Diagnosis, PriceSource } from '@causeway/core/chain'
import { CheckedPrices, ConfiguredCurrencies } from '@causeway/core/host'
import type { ChainRegistry } from '@causeway/core/plugin'
import { type OpenPriceSources, openPriceSources } from '../application/opening/openPriceSources.js'
import type { LoadedConfig } from '../config/loadConfig.js'

const check = 'prices'

/** Every configured source answers, and every configured currency has a price that can be used. */
export const checkPrices = async (loaded: LoadedConfig, chains: ChainRegistry): Promise<readonly Diagnosis[]> => {
  const found = openCurrencies(chains)
  if (found instanceof Error) {
    const remedy = 'Correct the currency in its chain.'
    return [{ check, subject: 'configuration', state: 'fault', message: found.message, remedy }]
  }
  const opened = openPriceSources(loaded, {
    chains,
    currencies: found,
    clock: systemClock,
    log: { error: () => undefined },
  })
  if (opened.sources.length === 0) {
    const remedy = 'Set "prices.file", "prices.coingecko" or "prices.pyth", or install a plugin that brings prices.'
    return [{ check, subject: 'configuration', state: 'warning', message: 'no price source is configured', remedy }]
  }
  const bySource = await Promise.all(opened.sources.map((source) => checkSource(source, found.all())))
  return [...bySource, ...checkDex(loaded, chains), ...(await checkCurrencies(loaded, opened, found.all()))]
}

const openCurrencies = (chains: ChainRegistry): ConfiguredCurrencies | Error => {
  try {
    return new ConfiguredCurrencies(chains.all())
  } catch (error) {
    return error instanceof Error ? error : new Error('A currency cannot be read')
  }
}

const namesOf = (currencies: readonly Currency[]): string =>
  [...new Set(currencies.map(({ symbol }) => symbol))].join(', ')

const checkSource = async (source: PriceSource, currencies: readonly Currency[]): Promise<Diagnosis> => {
  const finding = { check, subject: source.name }
  try {
    const answers = await source.getPrices(currencies)
    const known = currencies.filter((_, at) => answers[at] !== null)
    const bad = currencies.filter((_, at) => {
      const answer = answers[at]
      return answer === 'unavailable' || (answer !== null && answer !== undefined && answer.usd <= 0n)
    })
    const message = `answers, and knows ${known.length} of ${currencies.length} currencies`
    if (bad.length === 0) return { ...finding, state: 'ok', message }
    const remedy = 'Look at what it says of them: the id may be wrong, or the market closed.'
    return { ...finding, state: 'warning', message: `has no usable price of ${namesOf(bad)} now`, remedy }
  } catch (error) {
    const isServer = error instanceof Error && error.name === 'PriceApiError'
    return {
      ...finding,
      state: 'fault',
      message: isServer ? `failed: ${error.message}` : 'cannot be read',
      remedy: isServer
        ? 'Check its "url", its key and the limits of the account.'
        : 'Check "prices.file": it must hold one JSON object and be readable.',
    }
  }
}

const checkDex = ({ config }: LoadedConfig, chains: ChainRegistry): readonly Diagnosis[] => {
  const isIdle = chains.all().every(({ adapter }) => adapter.swaps?.midPrices === undefined)
  if (config.prices.dex === undefined || !isIdle) return []
  const message = 'no chain has pools to take prices from'
  return [
    { check, subject: 'dex', state: 'warning', message, remedy: 'Configure swap sources, or remove "prices.dex".' },
  ]
}

/** What quotes will find: each currency by the rules of all sources together. */
const checkCurrencies = async (
  { config: { prices, balances } }: LoadedConfig,
  { sources }: OpenPriceSources,
  currencies: readonly Currency[],
): Promise<readonly Diagnosis[]> => {
  const checked = new CheckedPrices({
    sources,
    clock: systemClock,
    maxAgeMs: prices.maxAgeSeconds * 1000,
    maxDeviationBps: prices.maxDeviationBps,
    minimumSources: prices.minimumSources,
  })
  const refusals = await Promise.all(
    currencies.map((currency) =>
      checked.get([currency]).then(
        () => [],
        (error: unknown) => [wordsOf(error)],
      ),
    ),
  )
  const words = [...new Set(refusals.flat())]
  const finding = { check, subject: 'currencies' }
  const unpriced = currencies.filter((_, at) => refusals[at]?.length !== 0)
  const isUnpriced = unpriced.some(
    ({ chainId, address }) =>
      chainId === balances?.chainId && address.toLowerCase() === balances.currency.toLowerCase(),
  )
  if (isUnpriced) words.push('It is the currency of balances: no app fee, sponsor or fast fill can be counted in it.')
  if (words.length === 0) return [{ ...finding, state: 'ok', message: `all ${currencies.length} have a price` }]
  const remedy =
    'Currencies without a price are not quoted. Name them in a source by "<chainId>:<address>", group or symbol.'
  return [{ ...finding, state: 'fault', message: words.join(' '), remedy }]
}

const wordsOf = (error: unknown): string =>
  ServiceError.is(error) ? error.message.replace(/ Try again\.$/, '') : 'A price could not be read.'
