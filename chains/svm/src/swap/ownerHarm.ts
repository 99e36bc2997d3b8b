import type { ChainMoney } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import { readTokenAccount } from '../read/token/tokenAccounts.js'
import type { AccountChange } from '../rpc/simulateMessage.js'
import { mintOf, WRAPPED_SOL } from './wrappedSol.js'

export interface HarmTerms {
  readonly owner: string
  /** All that may go, and lamports beside it for fees and rent. */
  readonly spends: ChainMoney
  readonly costs: bigint
}

/**
 * What a transaction that is not of our own making does to an owner beyond what was agreed: takes more, or gives somebody
 * power over an account. In plain words; null when it is harmless.
 */
export const ownerHarm = (terms: HarmTerms, changes: readonly AccountChange[]): string | null =>
  givesAway(terms.owner, changes) ?? takesMore(terms, changes)

/** The owner still has what it had, and nobody else may move or close it. */
const givesAway = (owner: string, changes: readonly AccountChange[]): string | null => {
  for (const { address, before, after } of changes) {
    if (address === owner && after !== null && after.owner !== NATIVE) return 'it gives the account away'
    const [had, has] = [readTokenAccount(before), readTokenAccount(after)]
    if (has === null || (had?.owner ?? has.owner) !== owner) continue
    const sameDelegate = has.delegate === null || has.delegate === (had?.delegate ?? owner)
    const sameCloser = has.closer === (had?.closer ?? null)
    if (has.owner !== owner || !sameDelegate || !sameCloser) return 'it gives a token account away'
  }
  return null
}

const takesMore = ({ owner, spends, costs }: HarmTerms, changes: readonly AccountChange[]): string | null => {
  const spent = mintOf(spends.currency)
  for (const [mint, amount] of gainsOf(owner, changes)) {
    const allowed = (mint === spent ? spends.amount : 0n) + (mint === WRAPPED_SOL.address ? costs : 0n)
    if (-amount > allowed) return 'it takes more than the amount to be swapped'
  }
  return null
}

/** What an owner gained by mint over all of its accounts that a transaction changes; negative: lost. */
export const gainsOf = (owner: string, changes: readonly AccountChange[]): ReadonlyMap<string, bigint> => {
  const gains = new Map<string, bigint>()
  const gain = (mint: string, amount: bigint) => gains.set(mint, (gains.get(mint) ?? 0n) + amount)
  for (const { address, before, after } of changes) {
    const [had, has] = [heldIn(owner, address, before), heldIn(owner, address, after)]
    if (had !== null) gain(had.mint, -had.amount)
    if (has !== null) gain(has.mint, has.amount)
  }
  return gains
}

/** What of an owner's is in an account; wrapped and bare lamports are one, rent included. */
const heldIn = (owner: string, address: string, account: AccountChange['before']) => {
  const lamports = { mint: WRAPPED_SOL.address as string, amount: BigInt(account?.lamports ?? 0) }
  if (address === owner) return lamports
  const token = readTokenAccount(account)
  if (token?.owner !== owner) return null
  return token.mint === lamports.mint ? lamports : { mint: token.mint, amount: token.amount }
}
