import { isKeyless } from '../address/addresses.js'
import { parseIssuedValue } from '../address/amounts.js'
import { ACCOUNT_FLAGS, type AccountState, type TrustLine } from '../rpc/accountState.js'

/** Facts about the recipient of an issued currency. */
export interface IssuedFacts {
  /** Null: there is no such account. */
  readonly issuer: AccountState | null
  readonly isIssuer: boolean
  /** Trust line of the currency, as the recipient sees it; null without one. */
  readonly line: TrustLine | null
}

const has = ({ flags }: Pick<AccountState, 'flags'>, flag: keyof typeof ACCOUNT_FLAGS): boolean =>
  // Flags have 32 bits, the highest of which makes numbers negative in between.
  (flags & ACCOUNT_FLAGS[flag]) !== 0

/** Whether no key can sign for an account any more: money that reaches it is lost. */
export const isBlackholed = (account: AccountState): boolean =>
  has(account, 'disableMaster') && !account.hasSigners && (account.regularKey === null || isKeyless(account.regularKey))

/** Whether an account takes payments of those alone that it named before. */
export const asksWhoPays = (account: AccountState): boolean => has(account, 'depositAuthorization')

/** Why an account cannot be paid in any currency, in plain words; null where it can (chains.md xrpvm 5). */
export const accountProblem = (account: AccountState, tag: number | undefined): string | null => {
  if (account.isAmm) return 'The recipient is a pool of the exchange within the ledger, not a wallet.'
  if (isBlackholed(account)) return 'Nobody has a key of the recipient any more: the money would be lost.'
  if (tag === undefined && has(account, 'requireDestinationTag'))
    return 'The recipient takes payments with a destination tag only: give the tag that belongs to you there.'
  return null
}

/** Why an account cannot be paid an issued currency, in plain words; null where it can. */
export const issuedProblem = ({ issuer, isIssuer, line }: IssuedFacts): string | null => {
  if (issuer === null) return 'The account that issues this currency does not exist.'
  if (isIssuer) return null
  if (line === null)
    return 'The recipient does not trust the issuer of this currency: it must set up a trust line first.'
  if (has(issuer, 'globalFreeze')) return 'The issuer of this currency has frozen it.'
  if (line.freeze_peer === true || line.deep_freeze_peer === true || line.deep_freeze === true)
    return "The recipient's balance of this currency is frozen."
  if (has(issuer, 'requireAuthorization') && line.peer_authorized !== true)
    return 'The issuer of this currency has not allowed the recipient to hold it.'
  return hasRoom(line) ? null : "The recipient's trust line has no room left for this currency."
}

const hasRoom = ({ limit, balance }: TrustLine): boolean => {
  const [most, held] = [parseIssuedValue(limit), parseIssuedValue(balance)]
  return most !== null && held !== null && held < most
}
