import type { Currency } from '@causeway/core'
import type { CurrencySearch, CurrencySearchSource } from '@causeway/core/plugin'
import type { Logger } from 'pino'
import { currencyKey } from './catalogueCurrency.js'

export interface ExternalSearchDeps {
  /** Finds tokens by their addresses on the chains themselves. */
  readonly chain: CurrencySearchSource
  readonly sources: readonly CurrencySearchSource[]
  readonly timeoutMs: number
  readonly log: Logger
}

/** Asks the chains and every source at once; one that fails or is late adds nothing. */
export const searchExternally = async (
  { chain, sources, timeoutMs, log }: ExternalSearchDeps,
  query: CurrencySearch,
): Promise<readonly Currency[]> => {
  const asked = [chain, ...sources]
  const signal = AbortSignal.timeout(timeoutMs)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  const answers = await Promise.allSettled(
    asked.map(async (source) => Promise.race([source.search(query, signal), late])),
  )
  // Nobody waits for it when every source answered in time.
  late.catch(() => undefined)
  const [ofChain = [], ...others] = answers.map((answer, at) => {
    if (answer.status === 'fulfilled') return answer.value
    log.warn({ err: answer.reason, source: asked[at]?.name }, 'a currency search source failed')
    return []
  })
  return merge(ofChain, others.flat())
}

/** One currency for each address: of several sources the first, but the chain where that source differs in decimals. */
const merge = (ofChain: readonly Currency[], others: readonly Currency[]): readonly Currency[] => {
  const keyOf = ({ chainId, address }: Currency) => currencyKey(chainId, address)
  const merged = new Map<string, Currency>()
  for (const currency of others) {
    if (!merged.has(keyOf(currency))) merged.set(keyOf(currency), currency)
  }
  for (const currency of ofChain) {
    if (merged.get(keyOf(currency))?.decimals !== currency.decimals) merged.set(keyOf(currency), currency)
  }
  return [...merged.values()]
}
