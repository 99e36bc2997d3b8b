import { isSystemAccount, NATIVE } from '../address/addresses.js'
import { type AccountState, askAccount, askRelation, countAutomatic, type Relation } from '../rpc/accounts.js'
import type { Asked } from '../rpc/mirrorNode.js'
import { askToken, type TokenState } from '../rpc/tokens.js'

/** A recipient in one currency, as one mirror node shows it. */
export interface RecipientFacts {
  readonly account: AccountState | null
  /** Null: HBAR. */
  readonly token: TokenState | null
  readonly relation: Relation | null
  /** Automatic slots that are left; null: no limit. */
  readonly freeSlots: number | null
}

/** Reads a recipient; `isUnknownToken` where the currency is no token. @throws ServiceError if the node does not answer */
export const readRecipientFacts = async (
  asked: Asked,
  address: string,
  currency: string,
): Promise<RecipientFacts | 'unknown-token'> => {
  const isNative = currency === NATIVE
  const [account, token, relation] = await Promise.all([
    askAccount(asked, address),
    isNative ? null : askToken(asked, currency),
    isNative ? null : askRelation(asked, address, currency),
  ])
  if (!isNative && token === null) return 'unknown-token'
  const needsSlot = account !== null && token !== null && relation === null
  return { account, token, relation, freeSlots: needsSlot ? await countFree(asked, account) : 0 }
}

const countFree = async (asked: Asked, { id, slots }: AccountState): Promise<number | null> => {
  if (slots < 0) return null
  return slots === 0 ? 0 : slots - (await countAutomatic(asked, id, slots))
}

/** Why an account cannot be paid, in plain words; null where it can (chains.md hederavm 5). */
export const recipientProblem = (facts: RecipientFacts | 'unknown-token'): string | null => {
  if (facts === 'unknown-token') return 'The token does not exist.'
  const { account, token } = facts
  if (account === null)
    return 'The account does not exist yet. It begins with the first transfer of HBAR to it: send some from another wallet first.'
  if (account.isDeleted) return 'The account was deleted.'
  if (isSystemAccount(account.id)) return 'This account belongs to the network itself.'
  if (account.needsReceiverSignature) return 'The account takes only transfers that it signs itself.'
  return token === null ? null : tokenProblem(token, facts)
}

const tokenProblem = (token: TokenState, { relation, freeSlots: left }: RecipientFacts): string | null => {
  if (!token.isFungible) return 'The token is not fungible.'
  if (token.isDeleted) return 'The token was deleted.'
  if (token.isPaused) return 'The issuer of the token paused all transfers.'
  if (relation === null)
    return left === 0
      ? 'The account is not associated with the token, and has no automatic association left: associate it first.'
      : null
  if (relation.isFrozen) return 'The issuer of the token froze the account.'
  return relation.lacksKyc ? 'The issuer of the token has not approved the account (KYC).' : null
}
