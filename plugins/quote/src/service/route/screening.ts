import { type Currency, ServiceError } from '@causeway/core'
import type { QuoteSettings } from '../../options.js'
import type { ResolvedRoute } from './resolveRoute.js'

type Lists = Pick<QuoteSettings, 'sanctionedCurrencies' | 'sanctionedWallets' | 'blockedWallets' | 'restrictedRoutes'>

/**
 * Refuses what the operator's lists name. Throws ServiceError `ROUTE_TEMPORARILY_RESTRICTED`, `SANCTIONED_CURRENCY`,
 * `SANCTIONED_WALLET_ADDRESS`, `BLOCKED_WALLET_ADDRESS` (wire.md C.1).
 */
export const screenRoute = ({ origin, destination, user, recipient, refundTo }: ResolvedRoute, lists: Lists): void => {
  const from = origin.chain.config.id
  const to = destination.chain.config.id
  if ([`${from}->${to}`, `*->${to}`, `${from}->*`].some((route) => lists.restrictedRoutes.has(route))) {
    throw new ServiceError('ROUTE_TEMPORARILY_RESTRICTED', `Chain ${from} to chain ${to} is not quoted now. Try later.`)
  }
  const sanctioned = [origin.currency, destination.currency].find((currency) =>
    lists.sanctionedCurrencies.has(keyOf(currency)),
  )
  if (sanctioned !== undefined) {
    throw new ServiceError('SANCTIONED_CURRENCY', `${sanctioned.symbol} is on a list of sanctioned currencies`)
  }
  const parties = [user, ...(refundTo === null ? [] : [refundTo.address])]
  if (parties.some((address) => lists.sanctionedWallets.has(address.toLowerCase()))) throw sanctionedParty()
  screenRecipient(recipient.address, lists)
}

/** The same of a recipient alone. Throws ServiceError `SANCTIONED_WALLET_ADDRESS`, `BLOCKED_WALLET_ADDRESS`. */
export const screenRecipient = (
  recipient: string,
  { sanctionedWallets, blockedWallets }: Pick<Lists, 'sanctionedWallets' | 'blockedWallets'>,
): void => {
  const address = recipient.toLowerCase()
  if (sanctionedWallets.has(address)) throw sanctionedParty()
  if (blockedWallets.has(address)) {
    throw new ServiceError('BLOCKED_WALLET_ADDRESS', 'The recipient is an address that such payments do not reach')
  }
}

const sanctionedParty = (): ServiceError =>
  new ServiceError('SANCTIONED_WALLET_ADDRESS', 'The payer or the recipient is on a list of sanctioned addresses')

/** Whether a recipient may not be paid, as the operator's lists are now. */
export const isListed = (
  recipient: string,
  { sanctionedWallets, blockedWallets }: Pick<QuoteSettings, 'sanctionedWallets' | 'blockedWallets'>,
): boolean => [sanctionedWallets, blockedWallets].some((list) => list.has(recipient.toLowerCase()))

const keyOf = ({ chainId, address }: Currency): string => `${chainId}:${address.toLowerCase()}`
