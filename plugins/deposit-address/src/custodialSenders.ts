import { parseDestination } from '@causeway/core'
import type { ChainRegistry, DepositAddressRules } from '@causeway/core/plugin'
import type { DepositAddressOptions } from './options.js'

const keyOf = (chainId: number, address: string): string => `${chainId}:${address}`

/**
 * The configured custodians (wire.md E.5). Senders are asked about as `destinationText` writes them; a tag or memo makes no difference.
 * @throws Error for a chain or an address that is none of this deployment
 */
export const custodialSenders = (
  chains: ChainRegistry,
  listed: DepositAddressOptions['custodialSenders'],
): DepositAddressRules => {
  const known = new Set(
    listed.flatMap(({ chainId, addresses }) =>
      addresses.map((address) => {
        const check = chains.find(chainId)?.adapter.validateAddress(address)
        if (check?.ok === true) return keyOf(chainId, check.canonical)
        const why = check === undefined ? 'there is no such chain here' : check.why
        throw new Error(
          `@causeway/plugin-deposit-address: custodialSenders names ${address} of chain ${chainId}, but ${why}.`,
        )
      }),
    ),
  )
  return { isCustodial: (chainId, sender) => known.has(keyOf(chainId, parseDestination(sender).address)) }
}
