import { type Currency, type CurrencyRegistry, ServiceError } from '@causeway/core'
import { type Chain, type ChainRegistry, unlistedCurrency } from '@causeway/core/plugin'

export interface FindCurrencyDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
}

const unsupported = (): ServiceError =>
  new ServiceError('UNSUPPORTED_CURRENCY', 'This chain has no such currency, or nobody here knows its price')

const readUnlisted = async (chain: Chain, address: string): Promise<Currency> => {
  const facts = (await chain.adapter.readToken?.(address)) ?? null
  if (facts === null) throw unsupported()
  return unlistedCurrency(chain, address, facts)
}

/**
 * The currency of an address, listed or not; the zero address is the native one (wire.md K.1 10). A private chain is as
 * unknown as one that is not configured (wire.md K.3 8). Throws ServiceError `UNSUPPORTED_CHAIN`, `UNSUPPORTED_CURRENCY`, and
 * those of the chain when it does not answer.
 */
export const findCurrency = async (deps: FindCurrencyDeps, chainId: number, text: string): Promise<Currency> => {
  const chain = deps.chains.find(chainId)
  if (chain === undefined || chain.config.privateId !== undefined) {
    throw new ServiceError('UNSUPPORTED_CHAIN', 'This deployment has no such chain')
  }
  const address = chain.adapter.normalizeCurrency(text)
  if (address === null) throw unsupported()
  const native = deps.currencies.native(chainId)
  if (native?.address === address) return native
  return deps.currencies.find(chainId, address) ?? readUnlisted(chain, address)
}
