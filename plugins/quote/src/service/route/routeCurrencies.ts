import { type Currency, type CurrencyRegistry, ServiceError } from '@causeway/core'
import { type Chain, unlistedCurrency } from '@causeway/core/plugin'

/** One end of a route with its chain's own currency for fees. */
export interface RouteEnd {
  readonly chain: Chain
  readonly currency: Currency
  readonly native: Currency
}

/** A well-formed currency of a body. */
export interface AskedCurrency {
  readonly chain: Chain
  readonly field: string
  /** Canonical. */
  readonly address: string
}

/** The address of a configured currency that is named by its symbol, name or group, as the end of a sentence; else empty. */
const addressHint = (currencies: CurrencyRegistry, id: number, text: string): string => {
  const wanted = text.toLowerCase()
  const native = currencies.native(id)
  const known = [...(native === undefined ? [] : [native]), ...currencies.ofChain(id)]
  const found = known.find(({ symbol, name, groupId }) =>
    [symbol, name, groupId].some((own) => own.toLowerCase() === wanted),
  )
  return found === undefined ? '' : `; ${found.symbol} there is ${found.address}`
}

/** Throws ServiceError `malformed` for a text that is no currency of the chain. */
export const askedCurrency = (
  currencies: CurrencyRegistry,
  chain: Chain,
  { field, text }: { readonly field: 'originCurrency' | 'destinationCurrency'; readonly text: string },
): AskedCurrency => {
  const address = chain.adapter.normalizeCurrency(text)
  if (address !== null) return { chain, field, address }
  const { id } = chain.config
  throw new ServiceError(
    field === 'originCurrency' ? 'INVALID_INPUT_CURRENCY' : 'INVALID_OUTPUT_CURRENCY',
    `body.${field} is not the address of a currency of chain ${id}${addressHint(currencies, id, text)}`,
  )
}

const configured = (currencies: CurrencyRegistry, { chain, address }: AskedCurrency): Currency | undefined => {
  const { id } = chain.config
  const native = currencies.native(id)
  return currencies.find(id, address) ?? (native?.address === address ? native : undefined)
}

/** What a list must be asked for: nothing where the configuration has the currency. */
export const placesOf = (currencies: CurrencyRegistry, asked: AskedCurrency) =>
  configured(currencies, asked) === undefined ? [{ chainId: asked.chain.config.id, address: asked.address }] : []

const unsupported = ({ field, chain }: AskedCurrency): ServiceError =>
  new ServiceError('UNSUPPORTED_CURRENCY', `body.${field} is not a currency served on chain ${chain.config.id}`)

/** A configured currency, a listed one, or a token that says of itself what it is where the chain has swaps to reach it. */
export const currencyOf = async (
  currencies: CurrencyRegistry,
  asked: AskedCurrency,
  listed: readonly (Currency | undefined)[],
): Promise<Currency> => {
  const known = configured(currencies, asked)
  if (known !== undefined) return known
  const { chain, address } = asked
  const { adapter, config } = chain
  const entry = listed.find((currency) => currency?.chainId === config.id && currency.address === address)
  if (entry === undefined && adapter.swaps === undefined) throw unsupported(asked)
  if (adapter.readToken === undefined) {
    if (entry === undefined) throw unsupported(asked)
    return entry
  }
  const facts = await adapter.readToken(address)
  if (facts === null) throw unsupported(asked)
  // How many units make a whole one is nothing that a list may say: amounts are moved by it.
  if (entry !== undefined) return { ...entry, decimals: facts.decimals }
  return unlistedCurrency(chain, address, facts)
}
