import { PublicKey } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import { type MintInfo, tokenProgramOf } from '../read/token/mintInfo.js'
import { readTokenAccount } from '../read/token/tokenAccounts.js'
import type { RpcAccount } from '../rpc/wire.js'

/** What is known of a recipient. */
export interface RecipientFacts {
  readonly to: string
  readonly account: RpcAccount | null
  /** Null for the native currency. */
  readonly mint: MintInfo | null
  /** The recipient's token account, where `mint` is set. */
  readonly token: { readonly address: string; readonly account: RpcAccount | null } | null
}

/** Why an address cannot be paid, in plain words; null when it can. A payment too small for a new account is not judged here. */
export const recipientProblem = (facts: RecipientFacts): string | null =>
  addressProblem(facts) ?? (facts.mint === null ? null : tokenProblem(facts, facts.mint))

const addressProblem = ({ to, account, mint }: RecipientFacts): string | null => {
  if (to === NATIVE) return 'The System program is not a recipient.'
  if (account === null) return null
  if (account.executable) return 'The recipient is a program, not a wallet.'
  if (account.owner.startsWith('Sysvar')) return 'The recipient is an account of the network itself.'
  if (tokenProgramOf(account.owner) !== null) {
    return readTokenAccount(account) === null
      ? 'The recipient is a token, not a wallet.'
      : 'The recipient is a token account: give the address of the wallet that owns it.'
  }
  if (mint !== null && account.owner !== NATIVE) {
    return 'The recipient is an account of a program, not a wallet: it could not use the tokens.'
  }
  return null
}

/** Tokens sent to a token account that does not exist are lost: it would own an account of its own, for which no key can sign. */
const NO_WALLET =
  'No account is at the address of the recipient, and no key can sign for it: it may be a token account that does not exist yet. Give the address of the wallet that owns it. If it is the vault of a program, send it a little SOL first.'

const isOnCurve = (address: string): boolean => PublicKey.isOnCurve(new PublicKey(address).toBytes())

const tokenProblem = ({ to, account, token }: RecipientFacts, mint: MintInfo): string | null => {
  if (mint.nonTransferable) return 'This token cannot be transferred.'
  const held = token === null ? null : readTokenAccount(token.account)
  if (held === null) {
    if (account === null && !isOnCurve(to)) return NO_WALLET
    return mint.frozenByDefault ? 'New accounts of this token are frozen until its issuer thaws them.' : null
  }
  if (held.owner !== to) return "The recipient's account for this token belongs to somebody else."
  return held.frozen ? "The recipient's account for this token is frozen by its issuer." : null
}
