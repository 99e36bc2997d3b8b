import type { StateEntry, StateReader, StateView } from '@causeway/core/testing'

/** An account that received something once. */
export interface Account extends StateEntry {
  readonly kind: 'account'
  readonly address: string
  readonly role: 'user' | 'vault' | 'subAccount'
  /** Of a sub-account or a vault. */
  readonly master: string | null
  /** Perps and spot USDC are one balance. */
  readonly isUnified: boolean
  readonly isSanctioned: boolean
  readonly hasSent: boolean
}

/** A balance in units of the token's `weiDecimals`. */
export interface Balance extends StateEntry {
  readonly kind: 'balance'
  readonly address: string
  readonly place: Place
  readonly amount: bigint
  /** Part that orders hold. */
  readonly held: bigint
}

/** An API wallet that signs for an account. */
export interface Agent extends StateEntry {
  readonly kind: 'agent'
  readonly address: string
  readonly master: string
}

export type Entry = Account | Balance | Agent
export type State = StateReader<Entry>
export type View = StateView<Entry>

/** A balance of an account: on a perps exchange (`''` is the first one), or of a spot token. */
export type Place = `perps:${string}` | `spot:${string}`

export const perpsOf = (dex: string): Place => `perps:${dex}`
export const spotOf = (tokenId: string): Place => `spot:${tokenId}`

/** Accounts that list an entry. */
export const ownersOf = (entry: Entry): readonly string[] => {
  if (entry.kind === 'balance') return [entry.address]
  return entry.master === null ? [] : [entry.master]
}

const accountIndex = (address: string) => `account:${address}`

export const accountIn = (state: State, address: string): Account | undefined => {
  const entry = state.get(accountIndex(address))
  return entry?.kind === 'account' ? entry : undefined
}

/** Changes an account, which is opened if it does not exist. */
export const changeAccount = (view: View, address: string, change: Partial<Account> = {}): void => {
  const index = accountIndex(address)
  const opened = { index, kind: 'account', address, role: 'user', master: null } as const
  const flags = { isUnified: false, isSanctioned: false, hasSent: false }
  view.put({ ...opened, ...flags, ...accountIn(view, address), ...change })
}

export const agentIn = (state: State, address: string): Agent | undefined => {
  const entry = state.get(`agent:${address}`)
  return entry?.kind === 'agent' ? entry : undefined
}

export const putAgent = (view: View, address: string, master: string): void =>
  view.put({ index: `agent:${address}`, kind: 'agent', address, master })

export const balanceIn = (state: State, address: string, place: Place): Balance => {
  const index = `balance:${address}:${place}`
  const entry = state.get(index)
  return entry?.kind === 'balance' ? entry : { index, kind: 'balance', address, place, amount: 0n, held: 0n }
}

/** Amount that orders do not hold. */
export const freeIn = (state: State, address: string, place: Place): bigint => {
  const { amount, held } = balanceIn(state, address, place)
  return amount - held
}

export const addBalance = (view: View, address: string, place: Place, amount: bigint): void => {
  const balance = balanceIn(view, address, place)
  view.put({ ...balance, amount: balance.amount + amount })
}

export const holdBalance = (view: View, address: string, place: Place, held: bigint): void =>
  view.put({ ...balanceIn(view, address, place), held })
