import type { Tx } from './transaction.js'

/** What the network asks of transactions, in drops where nothing else is said. */
export interface LedgerRules {
  readonly networkId: number
  readonly baseFee: bigint
  readonly reserveBase: bigint
  readonly reserveIncrement: bigint
}

/** Where a transaction is applied. */
export interface Place {
  readonly rules: LedgerRules
  /** The ledger it is to be in. */
  readonly ledger: number
  /** When the ledger before closed: seconds since 2000. */
  readonly parentCloseTime: number
  /** A server that is busy asks for so many times the base fee. */
  readonly load: number
}

export const reserveOf = ({ reserveBase, reserveIncrement }: LedgerRules, owned: number): bigint =>
  reserveBase + reserveIncrement * BigInt(owned)

/** The least fee of a transaction. Deleting an account costs what an object of it keeps in reserve. */
export const leastFee = ({ TransactionType }: Pick<Tx, 'TransactionType'>, { rules, load }: Place): bigint =>
  TransactionType === 'AccountDelete' ? rules.reserveIncrement : rules.baseFee * BigInt(load)
