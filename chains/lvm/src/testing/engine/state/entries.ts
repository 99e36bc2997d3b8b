import type { StateReader, StateView } from '@causeway/core/testing'
import type { Place } from '../assets.js'

export interface Account {
  readonly kind: 'account'
  readonly index: string
  readonly account: string
  /** Null until the first signature of the owner shows it. */
  readonly owner: string | null
}

export interface Balance extends Place {
  readonly kind: 'balance'
  readonly index: string
  readonly account: string
  readonly amount: bigint
}

/** A slot with an API key. */
export interface ApiKey {
  readonly kind: 'key'
  readonly index: string
  readonly account: string
  readonly slot: number
  /** 40 bytes in hex. */
  readonly publicKey: string
  /** The next one. */
  readonly nonce: number
}

export type Entry = Account | Balance | ApiKey
export type State = StateReader<Entry>
export type View = StateView<Entry>

export const ownersOf = ({ account }: Entry): readonly string[] => [account]

const found = <K extends Entry['kind']>(state: State, kind: K, name: string): Extract<Entry, { kind: K }> | null => {
  const entry = state.get(`${kind}:${name}`)
  // CAST: the index of an entry begins with its kind.
  return entry === undefined ? null : (entry as Extract<Entry, { kind: K }>)
}

export const accountIn = (state: State, account: string): Account | null => found(state, 'account', account)

export const keyIn = (state: State, account: string, slot: number): ApiKey | null =>
  found(state, 'key', `${account}:${slot}`)

export const keysOf = (state: State, account: string): readonly ApiKey[] =>
  [...state.ofOwner(account)].filter((entry) => entry.kind === 'key')

export const balanceIn = (state: State, account: string, { asset, route }: Place): bigint =>
  found(state, 'balance', `${account}:${asset}:${route}`)?.amount ?? 0n

export const putAccount = (view: View, account: string, owner: string | null): void =>
  view.put({ kind: 'account', index: `account:${account}`, account, owner })

export const putKey = (view: View, key: Omit<ApiKey, 'kind' | 'index'>): void =>
  view.put({ kind: 'key', index: `key:${key.account}:${key.slot}`, ...key })

/** Adds an amount, which may be negative. */
export const addBalance = (view: View, account: string, place: Place, amount: bigint): void => {
  const { asset, route } = place
  const index = `balance:${account}:${asset}:${route}`
  view.put({ kind: 'balance', index, account, asset, route, amount: balanceIn(view, account, place) + amount })
}
