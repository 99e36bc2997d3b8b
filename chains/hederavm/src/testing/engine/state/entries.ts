import type { StateEntry, StateReader, StateView } from '@causeway/core/testing'
import type { proto } from '@hiero-ledger/proto'

export interface Account extends StateEntry {
  readonly kind: 'account'
  readonly id: string
  /** Null: a hollow account, to which the key of its alias belongs. */
  readonly key: proto.IKey | null
  /** EVM address in hex without 0x. */
  readonly alias: string | null
  /** In tinybars. */
  readonly balance: bigint
  /** Maximum number of automatic associations; -1: no limit. */
  readonly slots: number
  readonly usedSlots: number
  readonly needsReceiverSignature: boolean
  readonly deleted: boolean
  readonly memo: string
  readonly createdAt: bigint
}

export interface Alias extends StateEntry {
  readonly kind: 'alias'
  readonly account: string
}

export interface Token extends StateEntry {
  readonly kind: 'token'
  readonly id: string
  readonly made: proto.ITokenCreateTransactionBody
  readonly treasury: string
  readonly supply: bigint
  readonly fees: readonly proto.ICustomFee[]
  readonly paused: boolean
  readonly deleted: boolean
  readonly createdAt: bigint
  readonly modifiedAt: bigint
}

/** An account's association with a token. */
export interface Relation extends StateEntry {
  readonly kind: 'relation'
  readonly account: string
  readonly token: string
  readonly balance: bigint
  readonly frozen: boolean
  readonly approved: boolean
  readonly automatic: boolean
  readonly createdAt: bigint
}

/** Amount that an owner lets a spender transfer; the token is null for HBAR. */
export interface Allowance extends StateEntry {
  readonly kind: 'allowance'
  readonly amount: bigint
}

export interface Schedule extends StateEntry {
  readonly kind: 'schedule'
  readonly id: string
  readonly made: proto.IScheduleCreateTransactionBody
  readonly payer: string
  /** Id of the transaction that made it. */
  readonly transactionId: proto.ITransactionID
  readonly signers: readonly string[]
  readonly executed: boolean
}

export type Entry = Account | Alias | Token | Relation | Allowance | Schedule
export type State = StateReader<Entry>
export type View = StateView<Entry>

export const ALL_ACCOUNTS = 'accounts'

/** Lists that have an entry. */
export const ownersOf = (entry: Entry): readonly string[] => {
  if (entry.kind === 'relation') return [entry.account]
  return entry.kind === 'account' ? [ALL_ACCOUNTS] : []
}

const found = <K extends Entry['kind']>(state: State, kind: K, index: string): Extract<Entry, { kind: K }> | null => {
  const entry = state.get(`${kind}:${index}`)
  // CAST: the index of an entry begins with its kind.
  return entry === undefined ? null : (entry as Extract<Entry, { kind: K }>)
}

export const accountIn = (state: State, id: string): Account | null => found(state, 'account', id)
export const tokenIn = (state: State, id: string): Token | null => found(state, 'token', id)
export const scheduleIn = (state: State, id: string): Schedule | null => found(state, 'schedule', id)
export const relationIn = (state: State, account: string, token: string): Relation | null =>
  found(state, 'relation', `${account}:${token}`)

export const allowanceIn = (state: State, owner: string, spender: string, token: string | null): Allowance | null =>
  found(state, 'allowance', `${owner}:${spender}:${token}`)

/** Account of an EVM address in hex without 0x: of an alias, or of the long-zero form. */
export const accountOfAlias = (state: State, address: string): string | null => {
  const alias = found(state, 'alias', address)
  if (alias !== null) return alias.account
  return /^0{24}/.test(address) ? `0.0.${BigInt(`0x${address}`)}` : null
}

export const relationsOf = (state: State, account: string): readonly Relation[] =>
  [...state.ofOwner(account)].filter((entry) => entry.kind === 'relation')

export const accountsOf = (state: State): readonly Account[] =>
  [...state.ofOwner(ALL_ACCOUNTS)].filter((entry) => entry.kind === 'account')

type NewAccount = Pick<Account, 'id' | 'createdAt'> & Partial<Account>

/** Adds an account, and its alias if it has one. */
export const putNewAccount = (view: View, account: NewAccount): void => {
  const none = { key: null, alias: null, balance: 0n, slots: 0, usedSlots: 0, memo: '' }
  const index = `account:${account.id}`
  view.put({ kind: 'account', ...none, needsReceiverSignature: false, deleted: false, ...account, index })
  if (account.alias) view.put({ kind: 'alias', index: `alias:${account.alias}`, account: account.id })
}
