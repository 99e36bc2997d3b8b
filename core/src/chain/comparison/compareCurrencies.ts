import type { TokenFacts } from '../chainAdapter.js'
import type { Chain } from '../chainRegistry.js'

/** A listed currency that differs from its chain. */
export interface CurrencyDifference {
  /** Position in the `currencies` of the chain. */
  readonly at: number
  readonly field: 'address' | 'decimals' | 'symbol'
  /** `fault`: amounts would be wrong. `warning`: only the shown text differs. */
  readonly state: 'fault' | 'warning'
  /** Continues "the currency USDC (0x...) of base". */
  readonly message: string
  readonly remedy: string
}

/** Reads several tokens of one chain; null for what is no token. @throws ServiceError when no node answers */
export type ReadTokens = (currencies: readonly string[]) => Promise<readonly (TokenFacts | null)[]>

const readerOf = (adapter: Chain['adapter']): ReadTokens | undefined =>
  adapter.readToken === undefined
    ? undefined
    : (currencies) => Promise.all(currencies.map(async (currency) => (await adapter.readToken?.(currency)) ?? null))

/**
 * Compares every listed currency of a chain with the chain itself: code, decimal places, symbol, and the checksum of its address. All
 * tokens are read in one batch. Returns the differences.
 * @param readTokens default: the adapter's reader
 * @throws ServiceError when no node answers
 */
export const compareCurrencies = async (
  { config, adapter }: Pick<Chain, 'config' | 'adapter'>,
  readTokens = readerOf(adapter),
): Promise<readonly CurrencyDifference[]> => {
  const found: CurrencyDifference[] = []
  const tokens: { readonly at: number; readonly currency: string }[] = []
  for (const [at, { address, decimals }] of config.currencies.entries()) {
    const currency = adapter.normalizeCurrency(address)
    if (currency === null) continue
    if (currency === adapter.native.address) {
      found.push(...native(at, decimals, adapter.nativeDecimals))
      continue
    }
    const wrongText = checksum(at, { address, currency, adapter })
    if (wrongText !== null) found.push(wrongText)
    else tokens.push({ at, currency })
  }
  if (readTokens === undefined || tokens.length === 0) return found
  const facts = await readTokens(tokens.map(({ currency }) => currency))
  const differences = tokens.flatMap(({ at }, place) => differencesOf(at, config.currencies[at], facts[place] ?? null))
  return [...found, ...differences].sort((left, right) => left.at - right.at)
}

const differencesOf = (
  at: number,
  listed: Chain['config']['currencies'][number] | undefined,
  facts: TokenFacts | null,
): readonly CurrencyDifference[] => {
  if (listed === undefined) return []
  const { decimals, symbol } = listed
  if (facts === null) return [noToken(at)]
  if (facts.decimals !== decimals) return [otherDecimals(at, decimals, facts.decimals)]
  return facts.symbol.toLowerCase() === symbol.toLowerCase() ? [] : [otherSymbol(at, symbol, facts.symbol)]
}

const native = (at: number, listed: number, decimals: number | undefined): readonly CurrencyDifference[] =>
  decimals === undefined || decimals === listed ? [] : [otherDecimals(at, listed, decimals)]

const otherDecimals = (at: number, listed: number, found: number): CurrencyDifference => ({
  at,
  field: 'decimals',
  state: 'fault',
  message: `has ${found} decimals on the chain, and the configuration says ${listed}.`,
  remedy: `Set "decimals" to ${found}, or correct the address of the currency.`,
})

const noToken = (at: number): CurrencyDifference => ({
  at,
  field: 'address',
  state: 'fault',
  message: 'is no token on the chain: nothing at its address states its decimals.',
  remedy: 'Correct the address, or the "rpc" of the chain.',
})

const otherSymbol = (at: number, listed: string, found: string): CurrencyDifference => ({
  at,
  field: 'symbol',
  state: 'warning',
  message: `calls itself ${found} on the chain, and the configuration calls it ${listed}.`,
  remedy: 'Check that the address is the one of this currency.',
})

/** A currency that is an account's address must be valid as one: where mixed case holds a checksum, the checksum must match. */
const checksum = (
  at: number,
  {
    address,
    currency,
    adapter,
  }: { readonly address: string; readonly currency: string; readonly adapter: Chain['adapter'] },
): CurrencyDifference | null => {
  if (!adapter.validateAddress(currency).ok || adapter.validateAddress(address).ok) return null
  return {
    at,
    field: 'address',
    state: 'fault',
    message: 'has an address whose checksum does not match.',
    remedy: 'Copy the address again from its issuer.',
  }
}
