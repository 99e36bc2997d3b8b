import { type Currency, type CurrencyRegistry, readDestination, ServiceError } from '@causeway/core'
import type { Destination } from '@causeway/core/chain'
import { type Chain, whyNotPayable } from '@causeway/core/plugin'
import type { QuoteInput } from '../input/quoteInput.js'

/** Tokens that nothing is ever paid to: configured ones, and listed ones among what was looked up. */
export interface TokensOfRoute {
  readonly currencies: CurrencyRegistry
  readonly listed: readonly Currency[]
}

/** Throws ServiceError `INVALID_ADDRESS`. */
export const addressOnOrigin = ({ adapter, config }: Chain, field: string, text: string): string => {
  const check = adapter.validateAddress(text)
  if (check.ok) return check.canonical
  throw new ServiceError('INVALID_ADDRESS', `body.${field} is not an address of chain ${config.id}: ${check.why}`)
}

/** Throws ServiceError `INVALID_ADDRESS`. */
const destinationOn = ({ adapter, config }: Chain, field: string, text: string): Destination => {
  const check = readDestination(adapter, text)
  if (check.ok) return check.destination
  throw new ServiceError('INVALID_ADDRESS', `body.${field} is not an address of chain ${config.id}: ${check.why}`)
}

/** The placeholder of the chain that a text is, in the form of this very network; null where it is none. */
const placeholderOf = ({ adapter }: Chain, text: string): string | null => {
  const [own = null, ...others] = adapter.placeholders ?? []
  return [own, ...others].some((item) => item !== null && adapter.sameAddress(item, text)) ? own : null
}

/** The native marker as an account of the chain: itself where it has the form of one, else the placeholder. Null for any other text. */
const markerOf = ({ adapter }: Chain, text: string): string | null => {
  const { address } = adapter.native
  if (adapter.normalizeCurrency(text) !== address) return null
  return adapter.validateAddress(address).ok ? address : (adapter.placeholders?.[0] ?? null)
}

/** Whether a canonical address is what clients name while no wallet is connected (wire.md 0.5). */
export const isUnconnected = (chain: Chain, address: string): boolean =>
  placeholderOf(chain, address) !== null || chain.adapter.sameAddress(chain.adapter.native.address, address)

/**
 * With a tag or memo behind it, which is where a refund goes, not who deposits. `signs`: the user has a part in the deposit, so an
 * address without an owner is refused. Throws ServiceError `INVALID_ADDRESS`.
 */
export const canonicalUser = (chain: Chain, text: string, signs: boolean): Destination => {
  const unconnected = placeholderOf(chain, text) ?? markerOf(chain, text)
  if (unconnected !== null) return { address: unconnected }
  const user = destinationOn(chain, 'user', text)
  if (!signs || chain.adapter.ownerless?.(user.address) !== true) return user
  throw new ServiceError('INVALID_ADDRESS', 'body.user is an address without an owner; name the wallet that deposits')
}

const whyNot = ({ currencies, listed }: TokensOfRoute, chain: Chain, address: string): string | null => {
  const { id } = chain.config
  return whyNotPayable(chain, [...currencies.ofChain(id), ...listed.filter(({ chainId }) => chainId === id)], address)
}

const burnt = (): ServiceError =>
  new ServiceError(
    'INVALID_RECIPIENT',
    'body.recipient is a burn address; name a wallet, or leave it out to pay body.user',
  )

/**
 * The user where the body names no recipient, checked as a named one is. `priceOnly`: the user is not connected, so the marker names no
 * recipient either. `connected`: the user has a wallet for the destination, so a placeholder is a burn address, unless `txs` take
 * the output. Throws ServiceError `USER_RECIPIENT_MISMATCH`, `INVALID_ADDRESS`, `INVALID_RECIPIENT`.
 */
export const resolveRecipient = (
  input: QuoteInput,
  tokens: TokensOfRoute,
  chain: Chain,
  { priceOnly, connected }: { readonly priceOnly: boolean; readonly connected: boolean },
): Destination => {
  const { adapter, config } = chain
  const text = input.recipient ?? input.user
  const marker = priceOnly || input.recipient === null ? markerOf(chain, text) : null
  const placeholder = placeholderOf(chain, text) ?? (marker === null ? null : (adapter.placeholders?.[0] ?? marker))
  if (placeholder !== null) {
    if (connected && input.recipient !== null && input.calls === null) throw burnt()
    return { address: placeholder }
  }
  const check = readDestination(adapter, text)
  if (!check.ok && input.recipient === null) {
    throw new ServiceError(
      'USER_RECIPIENT_MISMATCH',
      `body.user is not an address of chain ${config.id}, so body.recipient is needed`,
    )
  }
  if (!check.ok) {
    throw new ServiceError('INVALID_ADDRESS', `body.recipient is not an address of chain ${config.id}: ${check.why}`)
  }
  const why = whyNot(tokens, chain, check.destination.address)
  if (why === null) return check.destination
  const says = input.recipient === null ? `body.user ${why}, so body.recipient is needed` : `body.recipient ${why}`
  throw new ServiceError('INVALID_RECIPIENT', says)
}

/** The marker of the native currency means back to the depositor, as leaving it out does (wire.md 1.2, E.5). */
const namesDepositor = ({ adapter }: Chain, refundTo: string): boolean =>
  adapter.normalizeCurrency(refundTo) === adapter.native.address

/** To `user` where the body names nobody; null: to nobody then. Throws ServiceError `INVALID_ADDRESS`. */
export const resolveRefundTo = (
  input: QuoteInput,
  tokens: TokensOfRoute,
  chain: Chain,
  user: Destination | null,
): Destination | null => {
  if (input.refundTo === null || namesDepositor(chain, input.refundTo)) {
    if (user === null || isUnconnected(chain, user.address)) return user
    const why = whyNot(tokens, chain, user.address)
    if (why === null) return user
    throw new ServiceError('INVALID_ADDRESS', `body.user ${why}, so body.refundTo is needed`)
  }
  const refundTo = destinationOn(chain, 'refundTo', input.refundTo)
  const why = whyNot(tokens, chain, refundTo.address)
  if (why !== null) throw new ServiceError('INVALID_ADDRESS', `body.refundTo ${why}`)
  return refundTo
}
