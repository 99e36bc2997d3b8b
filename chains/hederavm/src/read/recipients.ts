import type { Destination, RecipientStatus } from '@causeway/core/chain'
import { isSystemAccount, NATIVE } from '../address/addresses.js'
import {
  type AccountIds,
  type AccountState,
  askAccount,
  askRelation,
  countAutomatic,
  type Relation,
} from '../rpc/accounts.js'
import type { Asked, MirrorNode } from '../rpc/mirrorNode.js'
import { askToken, type TokenState } from '../rpc/tokens.js'

/** Named as user or recipient while no wallet is connected (wire.md 0.5): the account of the first consensus node. */
export const PLACEHOLDERS: readonly string[] = ['0.0.1']

/** Whether no key is known for an account: it belongs to the network itself. */
export const isOwnerless = (account: string): boolean => account !== NATIVE && isSystemAccount(account)

/**
 * Whether an account can be paid in a currency now, as one mirror node shows it. An EVM address without an account cannot, also where it is
 * a deposit address: the user's payment opens its account, and a payment of the service never does.
 */
export const readRecipient = async (
  node: MirrorNode,
  { to: { address }, currency }: { readonly to: Destination; readonly currency: string },
  { depository, ids }: { readonly depository: string; readonly ids: AccountIds },
): Promise<RecipientStatus> => {
  if (PLACEHOLDERS.includes(address)) return { canReceive: true }
  const [{ id, why }, depositoryId] = await Promise.all([
    askRecipient(node, address, currency),
    ids.at(node, depository),
  ])
  if (address === depository || (id !== null && id === depositoryId))
    return { canReceive: false, why: 'The depository is not a recipient.' }
  return why === null ? { canReceive: true } : { canReceive: false, why }
}

/**
 * Reads a recipient in one currency: the number of its account, null where there is none, and why the account cannot be paid, in plain words;
 * null where it can (chains.md hederavm 5).
 * @throws ServiceError if the node does not answer
 */
export const askRecipient = async (
  asked: Asked,
  address: string,
  currency: string,
): Promise<{ readonly id: string | null; readonly why: string | null }> => {
  const isNative = currency === NATIVE
  const [account, token, relation] = await Promise.all([
    askAccount(asked, address),
    isNative ? null : askToken(asked, currency),
    isNative ? null : askRelation(asked, address, currency),
  ])
  const why = accountProblem(address, account)
  if (why !== null || account === null || isNative) return { id: account?.id ?? null, why }
  return { id: account.id, why: tokenProblem(token, relation) ?? (relation ? null : await slotProblem(asked, account)) }
}

const accountProblem = (address: string, account: AccountState | null): string | null => {
  if (isSystemAccount(account?.id ?? address)) return 'This account belongs to the network itself.'
  if (account === null)
    return 'The account does not exist yet. It begins with the first transfer of HBAR to it: send some from another wallet first.'
  if (account.isDeleted) return 'The account was deleted.'
  return account.needsReceiverSignature ? 'The account takes only transfers that it signs itself.' : null
}

const tokenProblem = (token: TokenState | null, relation: Relation | null): string | null => {
  if (token === null) return 'The token does not exist.'
  if (!token.isFungible) return 'The token is not fungible.'
  if (token.isDeleted) return 'The token was deleted.'
  if (token.isPaused) return 'The issuer of the token paused all transfers.'
  if (relation?.isFrozen === true) return 'The issuer of the token froze the account.'
  return relation?.lacksKyc === true ? 'The issuer of the token has not approved the account (KYC).' : null
}

/** An account without an association needs an automatic one. */
const slotProblem = async (asked: Asked, { id, slots }: AccountState): Promise<string | null> =>
  slots < 0 || (slots > 0 && (await countAutomatic(asked, id, slots)) < slots)
    ? null
    : 'The account is not associated with the token, and has no automatic association left: associate it first.'
