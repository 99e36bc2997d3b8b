import type { Clock, Environment } from '@causeway/core'
import {
  type ChainRegistry,
  type OutgoingHttp,
  parseTarget,
  TargetRefused,
  TokenFactsReader,
} from '@causeway/core/plugin'
import type { Logger } from 'pino'
import { CoinGeckoSource, readCoinList, readFoundCoins } from './coinGeckoSource.js'
import { ExternalTokens } from './externalTokens.js'
import { type SourceTarget, urlBelow } from './getJson.js'
import { JupiterSource, readFoundMints } from './jupiterSource.js'
import type { CurrencySearchOptions } from './options.js'
import { type Reading, RefreshedDocument } from './refreshedDocument.js'
import { SearchApi } from './searchApi.js'
import { readTokenList, TokenListSource } from './tokenListSource.js'
import type { TokenSource } from './tokenSource.js'

export interface OpenSourcesDeps {
  readonly options: CurrencySearchOptions
  readonly http: OutgoingHttp
  readonly chains: ChainRegistry
  readonly clock: Clock
  readonly environment: Environment
  readonly log: Logger
}

/** The sources of the options. */
export interface OpenSources {
  readonly search: ExternalTokens
  /** Keeps the lists fresh until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

const PLUGIN = '@causeway/plugin-currency-search'

type Kind = 'lists' | 'coingecko' | 'jupiter'
type Of<Name extends Kind> = CurrencySearchOptions[Name][number]
type Refreshed = Pick<RefreshedDocument<unknown>, 'run'>
type ApiKey = { readonly env: string; readonly header: string }

interface Settings {
  readonly url: string
  readonly name?: string
  readonly apiKey?: ApiKey
}

/** A source's place in the options, its name in the log, and how it is reached. */
interface Opened extends SourceTarget {
  readonly place: string
  readonly name: string
  readonly log: Logger
}

/** Opens what the options configure; nothing is requested yet. @throws Error with the remedy where an option cannot be used */
export const openSources = (deps: OpenSourcesDeps): OpenSources => {
  const { options, chains, clock } = deps
  const documents: Refreshed[] = []
  const sources: TokenSource[] = [
    ...options.lists.map((settings, at) => openList(deps, settings, at, documents)),
    ...options.coingecko.map((settings, at) => openCoinGecko(deps, settings, at, documents)),
    ...options.jupiter.map((settings, at) => openJupiter(deps, settings, at)),
  ]
  const reader = new TokenFactsReader({ chains, clock })
  return {
    search: new ExternalTokens({ sources, chains, reader, timeoutMs: options.timeoutMs }),
    run: async (signal) => void (await Promise.all(documents.map((document) => document.run(signal)))),
  }
}

const openList = (deps: OpenSourcesDeps, settings: Of<'lists'>, at: number, documents: Refreshed[]): TokenSource => {
  const { chains } = deps
  const { chainIds } = settings
  const target = openTarget(deps, 'lists', settings, at)
  requireChains(chains, Object.values(chainIds), `${target.place}.chainIds`)
  const list = openDocument(target, settings, (body) => readTokenList(body, { chains, chainIds }))
  documents.push(list)
  return new TokenListSource(target.name, list)
}

const openCoinGecko = (
  deps: OpenSourcesDeps,
  settings: Of<'coingecko'>,
  at: number,
  documents: Refreshed[],
): TokenSource => {
  const { chains } = deps
  const { platforms } = settings
  const target = openTarget(deps, 'coingecko', settings, at)
  requireChains(chains, Object.keys(platforms).map(Number), `${target.place}.platforms`)
  const base = urlBelow(target.base, '/coins/list', { include_platform: 'true' })
  const coins = openDocument({ ...target, base }, settings, (body) => readCoinList(body, { chains, platforms }))
  documents.push(coins)
  return new CoinGeckoSource({ name: target.name, coins, api: openApi(deps, target, readFoundCoins) })
}

const openJupiter = (deps: OpenSourcesDeps, settings: Of<'jupiter'>, at: number): TokenSource => {
  const { chains } = deps
  const { chainId } = settings
  const target = openTarget(deps, 'jupiter', settings, at)
  requireChains(chains, [chainId], `${target.place}.chainId`)
  const read = (body: unknown) => readFoundMints(body, chains.get(chainId))
  return new JupiterSource({ name: target.name, chainId, api: openApi(deps, target, read) })
}

const openDocument = <Value>(
  target: Opened,
  { refreshSeconds, maxBytes }: Pick<Of<'lists'>, 'refreshSeconds' | 'maxBytes'>,
  read: (body: unknown) => Promise<Reading<Value>>,
): RefreshedDocument<Value> => new RefreshedDocument({ ...target, refreshMs: refreshSeconds * 1000, maxBytes, read })

const openApi = <Item>(
  { options, clock }: OpenSourcesDeps,
  target: Opened,
  read: (body: unknown) => readonly Item[],
): SearchApi<Item> => new SearchApi({ ...target, clock, keepMs: options.keepSeconds * 1000, read })

const openTarget = (
  { options, http, environment, log }: OpenSourcesDeps,
  kind: Kind,
  settings: Settings,
  at: number,
): Opened => {
  const place = `${kind}[${at}]`
  return {
    ...{ http, log, place },
    name: settings.name ?? (options[kind].length > 1 ? `${kind} ${at + 1}` : kind),
    base: readUrl(settings.url, options.allowPrivateTargets, place),
    headers: settings.apiKey === undefined ? {} : keyHeaders(settings.apiKey, environment, place),
  }
}

const requireChains = (chains: ChainRegistry, ids: readonly number[], place: string): void => {
  const unknown = ids.find((id) => chains.find(id) === undefined)
  if (unknown === undefined) return
  throw new Error(
    `Option "${place}" of ${PLUGIN} names chain ${unknown}, which is not configured. Name configured chains only.`,
  )
}

const readUrl = (url: string, allowPrivate: boolean, place: string): URL => {
  try {
    return parseTarget(url, { allowPrivate })
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error
    throw new Error(`Option "${place}.url" of ${PLUGIN} cannot be used. ${error.message}.`)
  }
}

const keyHeaders = ({ env, header }: ApiKey, environment: Environment, place: string) => {
  const key = environment.read(env)?.trim() ?? ''
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Error(
      `The environment variable ${env} is to hold an API key and is ${key === '' ? 'empty' : 'not one word of ASCII'}. Set it, or remove "apiKey" from "${place}" of ${PLUGIN}.`,
    )
  }
  return { [header]: header.toLowerCase() === 'authorization' ? `Bearer ${key}` : key }
}
