import type { Destination, RecipientStatus } from '@causeway/core/chain'
import { isSystemAccount, NATIVE } from '../address/addresses.js'
import type { AccountIds } from '../rpc/accounts.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import { readRecipientFacts, recipientProblem } from './recipientRules.js'

export interface RecipientsDeps {
  readonly depository: string
  readonly ids: AccountIds
  /** Whether an address is a deposit address of this process, whose account its user opens. */
  isDepositAddress(address: string): boolean
}

/** Named as user or recipient while no wallet is connected (wire.md 0.5): the account of the first consensus node. */
export const PLACEHOLDERS: readonly string[] = ['0.0.1']

/** Whether no key is known for an account: it belongs to the network itself. */
export const isOwnerless = (account: string): boolean => account !== NATIVE && isSystemAccount(account)

/** Whether an account can be paid in a currency now, as one mirror node shows it. */
export const readRecipient = async (
  node: MirrorNode,
  { to, currency }: { readonly to: Destination; readonly currency: string },
  { depository, ids, isDepositAddress }: RecipientsDeps,
): Promise<RecipientStatus> => {
  const { address } = to
  if (PLACEHOLDERS.includes(address) || isDepositAddress(address)) return { canReceive: true }
  if (isSystemAccount(address)) return refused('This account belongs to the network itself.')
  const [facts, depositoryId] = await Promise.all([
    readRecipientFacts(node, address, currency),
    ids.at(node, depository),
  ])
  const id = facts === 'unknown-token' ? null : (facts.account?.id ?? null)
  if (address === depository || (id !== null && id === depositoryId))
    return refused('The depository is not a recipient.')
  const why = recipientProblem(facts)
  return why === null ? { canReceive: true } : refused(why)
}

const refused = (why: string): RecipientStatus => ({ canReceive: false, why })
