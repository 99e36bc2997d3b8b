import type { Currency, CurrencyRegistry } from '@causeway/core'
import type { ChainRegistry, QuoteBody } from '@causeway/core/plugin'

export type QuoteKind = 'bridge' | 'swap' | 'same-chain' | 'unknown'

interface Registries {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
}

const currencyOf = ({ chains, currencies }: Registries, chainId: number, address: string): Currency | undefined => {
  const canonical = chains.find(chainId)?.adapter.normalizeCurrency(address) ?? null
  return canonical === null ? undefined : currencies.find(chainId, canonical)
}

const kindOf = (body: RouteOfBody, registries: Registries): QuoteKind => {
  const origin = currencyOf(registries, body.originChainId, body.originCurrency)
  const destination = currencyOf(registries, body.destinationChainId, body.destinationCurrency)
  if (origin === undefined || destination === undefined) return 'unknown'
  if (origin.chainId === destination.chainId) return 'same-chain'
  return origin.groupId === destination.groupId ? 'bridge' : 'swap'
}

type RouteOfBody = Pick<QuoteBody, 'originChainId' | 'originCurrency' | 'destinationChainId' | 'destinationCurrency'>

const MAX_ROUTES = 5_000

/** Kinds of routes, from a fixed list; a route is looked at once, since reading its currencies costs as much as pricing it. */
export class QuoteKinds {
  readonly #registries: Registries
  readonly #known = new Map<string, QuoteKind>()

  constructor(registries: Registries) {
    this.#registries = registries
  }

  /** `unknown` where a chain or currency is not known here. */
  of(body: RouteOfBody): QuoteKind {
    const { originChainId, originCurrency, destinationChainId, destinationCurrency } = body
    const route = `${originChainId}:${originCurrency}:${destinationChainId}:${destinationCurrency}`
    const known = this.#known.get(route)
    if (known !== undefined) return known
    const kind = kindOf(body, this.#registries)
    if (kind !== 'unknown' && this.#known.size < MAX_ROUTES) this.#known.set(route, kind)
    return kind
  }
}
