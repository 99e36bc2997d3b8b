import { resolve } from 'node:path'
import type { Clock, Currency, CurrencyRegistry } from '@causeway/core'
import type { PricePace, PriceSource } from '@causeway/core/chain'
import {
  type CheckedPricesDeps,
  CoinGeckoPriceSource,
  DexPriceSource,
  FilePriceSource,
  PythPriceSource,
} from '@causeway/core/host'
import type { ChainRegistry } from '@causeway/core/plugin'
import type { Logger } from 'pino'
import type { LoadedConfig } from '../../config/loadConfig.js'

export interface OpenPriceSourcesDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly clock: Clock
  readonly log: Pick<Logger, 'error'>
}

/** The configured sources, and those that compute from them and from whatever else has prices. */
export interface OpenPriceSources {
  readonly sources: readonly PriceSource[]
  readonly derived: NonNullable<CheckedPricesDeps['derived']>
}

/** Least time between two requests about one currency. */
const RETRY_MS = 1_000

const paceOf = (settings: { readonly keepSeconds: number; readonly timeoutMs: number }): PricePace => ({
  keepMs: settings.keepSeconds * 1000,
  retryMs: RETRY_MS,
  timeoutMs: settings.timeoutMs,
})

type Servers = LoadedConfig['config']['prices']['coingecko' | 'pyth']

/** The header a key goes into unless configured. */
const KEY_HEADERS = { coingecko: 'x-cg-demo-api-key', pyth: 'authorization' } as const

const headersOf = (
  kind: keyof typeof KEY_HEADERS,
  { apiKey }: Servers[number],
  priceKeys: LoadedConfig['priceKeys'],
) => {
  if (apiKey === undefined) return {}
  const header = apiKey.header ?? KEY_HEADERS[kind]
  const key = priceKeys.get(apiKey.env) ?? ''
  return { [header]: header.toLowerCase() === 'authorization' ? `Bearer ${key}` : key }
}

const tellUnusable = (log: OpenPriceSourcesDeps['log']) => (names: readonly string[]) =>
  log.error(
    { names },
    'the price file has values that are no price above zero: these currencies are not quoted until it is corrected',
  )

/** The price sources of the configuration; nothing is asked yet. */
export const openPriceSources = (
  loaded: LoadedConfig,
  { chains, currencies, clock, log }: OpenPriceSourcesDeps,
): OpenPriceSources => {
  const { file, coingecko, pyth, dex } = loaded.config.prices
  const isListed = ({ chainId, address }: Currency): boolean =>
    currencies.find(chainId, address) !== undefined || currencies.native(chainId)?.address === address
  const serverOf = (kind: keyof typeof KEY_HEADERS, servers: Servers) => (settings: Servers[number], at: number) => ({
    name: settings.name ?? (servers.length > 1 ? `${kind} ${at + 1}` : kind),
    pace: paceOf(settings),
    headers: headersOf(kind, settings, loaded.priceKeys),
  })
  const [ofCoinGecko, ofPyth] = [serverOf('coingecko', coingecko), serverOf('pyth', pyth)]
  return {
    sources: [
      ...(file === undefined
        ? []
        : [
            new FilePriceSource({ path: resolve(loaded.folder, file), clock, isListed, onUnusable: tellUnusable(log) }),
          ]),
      ...coingecko.map((each, at) => new CoinGeckoPriceSource({ ...each, ...ofCoinGecko(each, at), isListed })),
      ...pyth.map((each, at) => new PythPriceSource({ ...each, ...ofPyth(each, at), isListed })),
    ],
    derived:
      dex === undefined
        ? []
        : [(prices) => new DexPriceSource({ ...dex, pace: paceOf(dex), chains, currencies, prices, clock })],
  }
}
