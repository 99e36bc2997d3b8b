import type { ChainAdapter } from '../../chain/chainAdapter.js'
import type { CurrencyConfig } from '../../chain/chainPackage.js'
import type { Chain } from '../../chain/chainRegistry.js'
import type { Currency, CurrencyRegistry } from './currency.js'

interface ChainCurrencies {
  readonly native: Currency
  readonly held: ReadonlyMap<string, Currency>
}

const currencyOf = (adapter: ChainAdapter, address: string, config: CurrencyConfig): Currency => ({
  chainId: adapter.chainId,
  address,
  symbol: config.symbol,
  name: config.name,
  decimals: config.decimals,
  vmType: adapter.vmType,
  groupId: config.groupId,
  metadata: {
    logoURI: config.logoURI ?? '',
    verified: config.verified ?? true,
    isNative: address === adapter.native.address,
  },
})

const readChain = ({ config, adapter }: Chain): ChainCurrencies => {
  const held = new Map<string, Currency>()
  for (const entry of config.currencies) {
    const address = adapter.normalizeCurrency(entry.address)
    const where = `Chain ${config.slug}: currency ${JSON.stringify(entry.address)}`
    if (address === null) throw new Error(`${where} is not a currency of a ${adapter.vmType} chain`)
    if (held.has(address)) throw new Error(`${where} is listed twice`)
    const currency = currencyOf(adapter, address, entry)
    if (currency.metadata.isNative && currency.decimals !== adapter.native.decimals) {
      throw new Error(
        `${where} is the native one, which has ${adapter.native.decimals} decimals, not ${entry.decimals}`,
      )
    }
    held.set(address, currency)
  }
  // Fees are shown in it even where the solver does not trade it.
  const { address, symbol, name, decimals } = adapter.native
  const unlisted = { address, symbol, name, decimals, groupId: symbol.toLowerCase() }
  return { held, native: held.get(address) ?? currencyOf(adapter, address, unlisted) }
}

/**
 * The currencies the configuration lists, under their canonical addresses. The native currency of a chain is known even
 * when the solver does not hold it, but `find` gives only what is listed. Throws `Error` naming the chain and entry for a
 * malformed address, a duplicate, or wrong decimals of the native one.
 */
export class ConfiguredCurrencies implements CurrencyRegistry {
  readonly #chains: ReadonlyMap<number, ChainCurrencies>
  readonly #all: readonly Currency[]

  constructor(chains: readonly Chain[]) {
    this.#chains = new Map(chains.map((chain) => [chain.config.id, readChain(chain)]))
    this.#all = [...this.#chains.values()].flatMap(({ held }) => [...held.values()])
  }

  find(chainId: number, address: string): Currency | undefined {
    return this.#chains.get(chainId)?.held.get(address)
  }

  native(chainId: number): Currency | undefined {
    return this.#chains.get(chainId)?.native
  }

  ofChain(chainId: number): readonly Currency[] {
    return [...(this.#chains.get(chainId)?.held.values() ?? [])]
  }

  all(): readonly Currency[] {
    return this.#all
  }
}
