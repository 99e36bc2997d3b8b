import type { AccountRoot } from './entries.js'
import { accountIndex, preauthIndex } from './entryIndex.js'
import type { StateReader, View } from './view.js'

export const accountIn = (state: StateReader, account: string): AccountRoot | undefined => {
  const entry = state.get(accountIndex(account))
  return entry?.LedgerEntryType === 'AccountRoot' ? entry : undefined
}

/** @throws Error when there is none: whoever asks has checked it */
export const existing = (state: StateReader, account: string): AccountRoot => {
  const found = accountIn(state, account)
  if (found === undefined) throw new Error(`${account} is not in the ledger`)
  return found
}

export const changeAccount = (view: View, account: string, changes: Partial<AccountRoot>): void =>
  view.put({ ...existing(view, account), ...changes })

/** Adds drops, or takes them where there are less than none. */
export const moveDrops = (view: View, account: string, drops: bigint): void =>
  changeAccount(view, account, { Balance: String(BigInt(existing(view, account).Balance) + drops) })

/** Counts objects that the account keeps a reserve for. */
export const countOwned = (view: View, account: string, more: number): void => {
  const root = existing(view, account)
  view.put({ ...root, OwnerCount: root.OwnerCount + more })
}

export const newAccount = (account: string, drops: bigint, sequence: number): AccountRoot => ({
  LedgerEntryType: 'AccountRoot',
  index: accountIndex(account),
  Account: account,
  Balance: String(drops),
  Flags: 0,
  OwnerCount: 0,
  Sequence: sequence,
})

/** Whether an account lets another one deposit though it refuses others. */
export const isPreauthorized = (state: StateReader, account: string, sender: string): boolean =>
  account === sender || state.get(preauthIndex(account, sender)) !== undefined
