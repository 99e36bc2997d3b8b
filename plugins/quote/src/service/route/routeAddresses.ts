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

/** Whether an address is that of a wallet nobody has connected. */
export const standsForNobody = (chain: Chain, address: string): boolean => placeholderOf(chain, address) !== null

/** With a tag or memo behind it, which is where a refund goes, not who deposits. Throws ServiceError `INVALID_ADDRESS`. */
export const canonicalUser = (chain: Chain, text: string): Destination => {
  const placeholder = placeholderOf(chain, text)
  return placeholder === null ? destinationOn(chain, 'user', text) : { address: placeholder }
}

const whyNot = ({ currencies, listed }: TokensOfRoute, chain: Chain, address: string): string | null => {
  const { id } = chain.config
  return whyNotPayable(chain, [...currencies.ofChain(id), ...listed.filter(({ chainId }) => chainId === id)], address)
}

/** Throws ServiceError `USER_RECIPIENT_MISMATCH`, `INVALID_ADDRESS`, `INVALID_RECIPIENT`. */
export const resolveRecipient = (input: QuoteInput, tokens: TokensOfRoute, chain: Chain): Destination => {
  const { adapter, config } = chain
  const text = input.recipient ?? input.user
  const check = readDestination(adapter, placeholderOf(chain, text) ?? text)
  if (!check.ok && input.recipient === null) {
    throw new ServiceError(
      'USER_RECIPIENT_MISMATCH',
      `body.user is not an address of chain ${config.id}, so body.recipient is needed`,
    )
  }
  if (!check.ok) {
    throw new ServiceError('INVALID_ADDRESS', `body.recipient is not an address of chain ${config.id}: ${check.why}`)
  }
  const why = input.recipient === null ? null : whyNot(tokens, chain, check.destination.address)
  if (why !== null) throw new ServiceError('INVALID_RECIPIENT', `body.recipient ${why}`)
  return check.destination
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
    if (user === null) return null
    // A refund to it would be a deposit again.
    if (!chain.adapter.sameAddress(user.address, chain.adapter.depository)) return user
    throw new ServiceError('INVALID_ADDRESS', 'body.user is the depository, so body.refundTo is needed')
  }
  const refundTo = destinationOn(chain, 'refundTo', input.refundTo)
  const why = whyNot(tokens, chain, refundTo.address)
  if (why !== null) throw new ServiceError('INVALID_ADDRESS', `body.refundTo ${why}`)
  return refundTo
}
