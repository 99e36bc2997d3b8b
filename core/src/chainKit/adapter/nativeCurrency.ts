import type { ChainAdapter } from '../../chain/chainAdapter.js'
import type { ChainConfig } from '../../chain/chainPackage.js'

/**
 * The chain's native currency as the operator lists it among the configured currencies, else as `fallback` describes it. `normalize`
 * is the adapter's `normalizeCurrency`, so that every spelling of the native address is found.
 */
export const nativeCurrency = (
  currencies: ChainConfig['currencies'],
  fallback: ChainAdapter['native'],
  normalize: ChainAdapter['normalizeCurrency'],
): ChainAdapter['native'] => {
  const listed = currencies.find(({ address }) => normalize(address) === fallback.address)
  const { symbol, name, decimals } = listed ?? fallback
  return { address: fallback.address, symbol, name, decimals }
}
