import type { Currency } from '@causeway/core'
import type { CurrencySearch, CurrencySearchSource } from '@causeway/core/plugin'
import type { Logger } from 'pino'

export interface ExternalSearchDeps {
  readonly sources: readonly CurrencySearchSource[]
  readonly timeoutMs: number
  readonly log: Logger
}

/** Asks every source at once; one that fails or is late adds nothing. */
export const searchExternally = async (
  { sources, timeoutMs, log }: ExternalSearchDeps,
  query: CurrencySearch,
): Promise<readonly Currency[]> => {
  const signal = AbortSignal.timeout(timeoutMs)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  const answers = await Promise.allSettled(
    sources.map(async (source) => Promise.race([source.search(query, signal), late])),
  )
  // Nobody waits for it when every source answered in time.
  late.catch(() => undefined)
  return answers.flatMap((answer, at) => {
    if (answer.status === 'fulfilled') return answer.value
    log.warn({ err: answer.reason, source: sources[at]?.name }, 'a currency search source failed')
    return []
  })
}
