import type { Delta, ExchangeBlock, ExchangeTx } from '../engine/exchangeTx.js'

/** A ledger update of an account, as the exchange shows it. */
export interface ShownUpdate {
  /** Unix milliseconds. */
  readonly time: number
  readonly hash: string
  readonly delta: Delta
}

/** Updates of an account in an action. */
export const updatesIn = ({ time, hash, updates }: ExchangeTx, account: string): readonly ShownUpdate[] =>
  updates.filter((update) => update.account === account).map(({ delta }) => ({ time, hash, delta }))

/** Accounts with updates in a block. */
export const accountsIn = ({ transactions }: ExchangeBlock): ReadonlySet<string> =>
  new Set(transactions.flatMap(({ updates }) => updates.map(({ account }) => account)))
