import type { Currency, CurrencyRegistry } from '@causeway/core'
import type { ChainRegistry, QuoteBody } from '@causeway/core/plugin'

export type QuoteKind = 'bridge' | 'swap' | 'same-chain' | 'unknown'

export interface QuoteKindsDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
}

const currencyOf = ({ chains, currencies }: QuoteKindsDeps, chainId: number, address: string): Currency | undefined => {
  const canonical = chains.find(chainId)?.adapter.normalizeCurrency(address) ?? null
  return canonical === null ? undefined : currencies.find(chainId, canonical)
}

const kindOf = (body: RouteOfBody, deps: QuoteKindsDeps): QuoteKind => {
  const origin = currencyOf(deps, body.originChainId, body.originCurrency)
  const destination = currencyOf(deps, body.destinationChainId, body.destinationCurrency)
  if (origin === undefined || destination === undefined) return 'unknown'
  if (origin.chainId === destination.chainId) return 'same-chain'
  return origin.groupId === destination.groupId ? 'bridge' : 'swap'
}

type RouteOfBody = Pick<QuoteBody, 'originChainId' | 'originCurrency' | 'destinationChainId' | 'destinationCurrency'>

const MAX_ROUTES = 5_000

/** Kinds of routes, from a fixed list; a route is looked at once, since reading its currencies costs as much as pricing it. */
export class QuoteKinds {
  readonly #deps: QuoteKindsDeps
  readonly #known = new Map<string, QuoteKind>()

  constructor(deps: QuoteKindsDeps) {
    this.#deps = deps
  }

  /** `unknown` where a chain or currency is not known here. */
  of(body: RouteOfBody): QuoteKind {
    const { originChainId, originCurrency, destinationChainId, destinationCurrency } = body
    const route = `${originChainId}:${originCurrency}:${destinationChainId}:${destinationCurrency}`
    const known = this.#known.get(route)
    if (known !== undefined) return known
    const kind = kindOf(body, this.#deps)
    if (kind !== 'unknown' && this.#known.size < MAX_ROUTES) this.#known.set(route, kind)
    return kind
  }
}
