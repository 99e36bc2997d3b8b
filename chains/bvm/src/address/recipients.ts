import type { Destination, RecipientStatus } from '@causeway/core/chain'
import type { WatchedScript } from '../rpc/bitcoinSource.js'
import { NATIVE, parseAddress } from './addresses.js'
import type { BitcoinNetwork } from './networks.js'

export interface RecipientRules {
  readonly network: BitcoinNetwork
  readonly depository: WatchedScript
}

/** Whether an address can be paid; on Bitcoin every real one can. */
export const recipientStatus = (
  to: Destination,
  currency: string,
  { network, depository }: RecipientRules,
): RecipientStatus => {
  if (currency !== NATIVE) return { canReceive: false, why: 'Bitcoin has no currency but its own.' }
  const parsed = parseAddress(to.address, network)
  if (!parsed.ok) return { canReceive: false, why: parsed.why }
  if (parsed.canonical === depository.address) return { canReceive: false, why: 'The depository is not a recipient.' }
  return { canReceive: true }
}
