import { type Currency, type CurrencyRegistry, ServiceError } from '@causeway/core'
import type { Chain } from '@causeway/core/plugin'

/** The currency in question on each side, where the solver holds it. */
export interface CurrencyPair {
  readonly origin: Currency | undefined
  readonly destination: Currency | undefined
}

export interface Ends {
  readonly origin: Chain
  readonly destination: Chain
}

const find = (currencies: CurrencyRegistry, { config, adapter }: Chain, text: string): Currency | undefined => {
  const address = adapter.normalizeCurrency(text)
  return address === null ? undefined : currencies.find(config.id, address)
}

const ofGroup = (currencies: CurrencyRegistry, { config }: Chain, groupId: string): Currency | undefined =>
  currencies.ofChain(config.id).find((currency) => currency.groupId === groupId)

/** The same asset at both ends. */
export const pairOfGroup = (currencies: CurrencyRegistry, ends: Ends, groupId: string): CurrencyPair => ({
  origin: ofGroup(currencies, ends.origin, groupId),
  destination: ofGroup(currencies, ends.destination, groupId),
})

const isHeld = (currencies: CurrencyRegistry, currency: Currency): boolean =>
  currencies.find(currency.chainId, currency.address) !== undefined

/** The destination's native currency, against the same asset on the origin, else the origin's own native currency. */
export const nativePair = (currencies: CurrencyRegistry, { origin, destination }: Ends): CurrencyPair => {
  const native = currencies.native(destination.config.id)
  if (native === undefined || !isHeld(currencies, native)) return { origin: undefined, destination: undefined }
  const own = currencies.native(origin.config.id)
  const ownHeld = own !== undefined && isHeld(currencies, own) ? own : undefined
  return { origin: ofGroup(currencies, origin, native.groupId) ?? ownHeld, destination: native }
}

/** By an address of the destination or of the origin chain. Throws ServiceError `UNSUPPORTED_CURRENCY` for one the solver holds on neither. */
export const pairOfAddress = (currencies: CurrencyRegistry, ends: Ends, address: string): CurrencyPair => {
  const destination = find(currencies, ends.destination, address)
  if (destination?.metadata.isNative === true) return nativePair(currencies, ends)
  const named = destination ?? find(currencies, ends.origin, address)
  if (named === undefined) throw new ServiceError('UNSUPPORTED_CURRENCY', 'The solver does not hold this currency')
  return pairOfGroup(currencies, ends, named.groupId)
}
