import type { Diagnosis } from '@causeway/core/chain'
import { compareCurrencies } from '@causeway/core/host'
import type { Chain } from '@causeway/core/plugin'

const CHECK = 'currency'

/** Every listed currency beside what the chain says of it. */
export const checkCurrencies = async (chain: Chain): Promise<readonly Diagnosis[]> => {
  const { slug, currencies } = chain.config
  const differences = await compareCurrencies(chain)
  const wrong = differences.map(({ at, state, message, remedy }): Diagnosis => {
    const { symbol = '', address = '' } = currencies[at] ?? {}
    return { check: CHECK, subject: `${slug} ${symbol}`, state, message: `(${address}) ${message}`, remedy }
  })
  if (wrong.length > 0 || currencies.length === 0) return wrong
  const message = `${currencies.length === 1 ? 'its currency has' : `all ${currencies.length} currencies have`} the decimals that the configuration states`
  return [{ check: CHECK, subject: slug, state: 'ok', message }]
}
