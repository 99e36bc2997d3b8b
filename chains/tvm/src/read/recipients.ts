import type { Destination, RecipientStatus } from '@causeway/core/chain'
import { NATIVE, PLACEHOLDERS } from '../address/addresses.js'
import { askAccount, type PricesNow } from '../rpc/accounts.js'
import type { Asked, TronNode } from '../rpc/tronNode.js'

export interface RecipientRules {
  readonly depository: string
  readonly prices: PricesNow
}

/** Whether no key can exist for an account: the marker of TRX. */
export const isOwnerless = (address: string): boolean => address === NATIVE

/** Why an account cannot be paid in a currency, in plain words; null where it can (chains.md tvm 5). */
export const askRefusal = async (
  asked: Asked,
  { to, currency }: { readonly to: string; readonly currency: string },
  { depository, prices }: RecipientRules,
): Promise<string | null> => {
  if (PLACEHOLDERS.includes(to)) return null
  if (to === NATIVE) return 'The address stands for TRX and has no owner. Enter the address of a wallet.'
  if (to === depository) return 'The depository is not a recipient.'
  if (to === currency) return 'The token itself is not a recipient. Enter the address of a wallet.'
  if (currency !== NATIVE) return null
  const [account, { contractsRefuse }] = await Promise.all([askAccount(asked, to), prices()])
  return account?.isContract === true && contractsRefuse
    ? 'The address is a contract, and contracts of Tron take no TRX from a wallet. Enter the address of a wallet.'
    : null
}

/** Whether an account can be paid, and what its activation costs. */
export const readRecipient = async (
  node: TronNode,
  { to: { address }, currency }: { readonly to: Destination; readonly currency: string },
  rules: RecipientRules,
): Promise<RecipientStatus> => {
  const why = await askRefusal(node, { to: address, currency }, rules)
  if (why !== null) return { canReceive: false, why }
  if (currency !== NATIVE || PLACEHOLDERS.includes(address)) return { canReceive: true }
  const [account, { activation, activationBandwidth }] = await Promise.all([askAccount(node, address), rules.prices()])
  if (account !== null) return { canReceive: true }
  return { canReceive: true, cost: { currency: NATIVE, amount: activation + activationBandwidth } }
}
