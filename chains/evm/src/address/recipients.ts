import type { RecipientStatus } from '@causeway/core/chain'
import { type Contracts, ZERO_ADDRESS } from './addresses.js'

/** Whether an address can be paid: all but the zero address and the contracts of this service can. */
export const recipientStatus = (to: string, contracts: Contracts): RecipientStatus => {
  const { depository, fillRouter, depositAddressFactory, formerDepositAddressFactories, permits, swap } = contracts
  const address = to.toLowerCase()
  const refused = (why: string) => ({ canReceive: false, why })
  if (address === ZERO_ADDRESS) return refused('The zero address burns what it gets.')
  if (address === depository) return refused('The depository is not a recipient.')
  if (address === fillRouter) return refused('The fill contract is not a recipient.')
  if (address === depositAddressFactory || formerDepositAddressFactories.includes(address))
    return refused('The factory of deposit addresses is not a recipient.')
  if (address === permits?.router) return refused('The permit router is not a recipient.')
  if (address === swap?.router) return refused('The swap router is not a recipient.')
  return { canReceive: true }
}
