import type { ChainRegistry, Currency, CurrencyRegistry } from '@causeway/core'

export type QuoteKind = 'bridge' | 'swap' | 'same-chain' | 'unknown'

interface Registries {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
}

const currencyOf = ({ chains, currencies }: Registries, chainId: unknown, address: unknown): Currency | undefined => {
  if (typeof chainId !== 'number' || typeof address !== 'string') return undefined
  const canonical = chains.find(chainId)?.adapter.normalizeCurrency(address) ?? null
  return canonical === null ? undefined : currencies.find(chainId, canonical)
}

/** What kind of route a body asks for, from a fixed list; `unknown` where a chain or currency is not known here. */
export const quoteKind = (body: Readonly<Record<string, unknown>>, registries: Registries): QuoteKind => {
  const origin = currencyOf(registries, body.originChainId, body.originCurrency)
  const destination = currencyOf(registries, body.destinationChainId, body.destinationCurrency)
  if (origin === undefined || destination === undefined) return 'unknown'
  if (origin.chainId === destination.chainId) return 'same-chain'
  return origin.groupId === destination.groupId ? 'bridge' : 'swap'
}
