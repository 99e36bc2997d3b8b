import type { RouteEnd } from './routeCurrencies.js'

/** `details.operation` (wire.md 1.6). */
export type Operation = 'bridge' | 'swap' | 'send' | 'wrap' | 'unwrap'

interface Ends {
  readonly origin: RouteEnd
  readonly destination: RouteEnd
}

/** What the currencies alone make of a route. */
export const operationOf = ({ origin, destination }: Ends): Operation => {
  const { chain } = origin
  if (chain !== destination.chain) {
    return origin.currency.groupId === destination.currency.groupId ? 'bridge' : 'swap'
  }
  if (origin.currency.address === destination.currency.address) return 'send'
  const wrapped = chain.adapter.swaps?.wrappedNative ?? null
  if (wrapped === null) return 'swap'
  if (origin.currency === origin.native && destination.currency.address === wrapped) return 'wrap'
  return origin.currency.address === wrapped && destination.currency === destination.native ? 'unwrap' : 'swap'
}
