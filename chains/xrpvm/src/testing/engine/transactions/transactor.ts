import type { Amount } from '../amounts/amount.js'
import type { Place } from '../ledgerRules.js'
import type { AccountRoot } from '../state/entries.js'
import type { View } from '../state/view.js'
import type { Tx } from '../transaction.js'

export interface ApplyContext {
  readonly tx: Tx
  /** Without the fee and the number, which are taken already. */
  readonly view: View
  readonly place: Place
  /** The sender before it paid the fee. */
  readonly sender: AccountRoot
  /** Whether its master key signed. */
  readonly byMaster: boolean
}

/** What one type of transaction does. */
export interface Transactor {
  /** What is wrong with it in any ledger. @throws Refusal with `tem` */
  readonly check?: (tx: Tx) => void
  /** Returns what was delivered, where its metadata tell it. @throws Refusal */
  readonly apply: (context: ApplyContext) => Amount | undefined
}
