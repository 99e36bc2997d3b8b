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

/**
 * Compares every listed currency of a chain with the chain itself: code, decimal places, symbol, and the checksum of its address. An
 * adapter reads all tokens in one batch. Returns the differences.
 * @throws ServiceError when no node answers
 */
export const compareCurrencies = async ({
  config,
  adapter,
}: Pick<Chain, 'config' | 'adapter'>): Promise<readonly CurrencyDifference[]> => {
  const found = await Promise.all(
    config.currencies.map(async ({ address, decimals, symbol }, at): Promise<readonly CurrencyDifference[]> => {
      const currency = adapter.normalizeCurrency(address)
      if (currency === null) return []
      if (currency === adapter.native.address) return native(at, decimals, adapter.nativeDecimals)
      const wrongText = checksum(at, { address, currency, adapter })
      if (wrongText !== null) return [wrongText]
      if (adapter.readToken === undefined) return []
      const facts = await adapter.readToken(currency)
      if (facts === null) return [noToken(at)]
      if (facts.decimals !== decimals) return [otherDecimals(at, decimals, facts.decimals)]
      return facts.symbol.toLowerCase() === symbol.toLowerCase() ? [] : [otherSymbol(at, symbol, facts.symbol)]
    }),
  )
  return found.flat()
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
