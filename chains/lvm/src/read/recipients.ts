import type { Destination, RecipientStatus } from '@causeway/core/chain'
import { isOwnerless, PLACEHOLDERS } from '../address/addresses.js'
import { askAccount } from '../rpc/accounts.js'
import type { Asked } from '../rpc/lighterNode.js'

/** Why an account cannot be paid, in plain words; null where it can: an account takes every asset (chains.md lvm 5). */
export const recipientProblem = (account: string, exists: boolean): string | null => {
  if (isOwnerless(account)) return 'This account belongs to the exchange itself.'
  return exists ? null : 'There is no Lighter account with this index. It is opened by a first deposit to Lighter.'
}

/** Whether an account can be paid now, as one node shows it. */
export const readRecipient = async (
  asked: Asked,
  { address }: Destination,
  { depository }: { readonly depository: string },
): Promise<RecipientStatus> => {
  if (PLACEHOLDERS.includes(address)) return { canReceive: true }
  if (address === depository) return { canReceive: false, why: 'The depository is not a recipient.' }
  const why = recipientProblem(address, (await askAccount(asked, address)) !== null)
  return why === null ? { canReceive: true } : { canReceive: false, why }
}
