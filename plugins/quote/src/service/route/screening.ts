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
  const listed = (list: ReadonlySet<string>, address: string): boolean => list.has(address.toLowerCase())
  const parties = [user, recipient.address, ...(refundTo === null ? [] : [refundTo.address])]
  if (parties.some((address) => listed(lists.sanctionedWallets, address))) {
    throw new ServiceError(
      'SANCTIONED_WALLET_ADDRESS',
      'The payer or the recipient is on a list of sanctioned addresses',
    )
  }
  if (listed(lists.blockedWallets, recipient.address)) {
    throw new ServiceError('BLOCKED_WALLET_ADDRESS', 'The recipient is an address that such payments do not reach')
  }
}

/** Whether a recipient may not be paid, as the operator's lists are now. */
export const isListed = (
  recipient: string,
  { sanctionedWallets, blockedWallets }: Pick<QuoteSettings, 'sanctionedWallets' | 'blockedWallets'>,
): boolean => [sanctionedWallets, blockedWallets].some((list) => list.has(recipient.toLowerCase()))

const keyOf = ({ chainId, address }: Currency): string => `${chainId}:${address.toLowerCase()}`
