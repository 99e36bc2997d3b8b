import type { StateReader, StateView } from '@causeway/core/testing'
import type { Fields } from '../wire/protobuf.js'

/** A resource that was used; it comes back over 24 hours. */
export interface Usage {
  readonly used: number
  /** Unix seconds. */
  readonly at: number
}

/** An account; its address is hex with the prefix `41`. */
export interface AccountEntry {
  readonly kind: 'account'
  readonly index: string
  readonly address: string
  /** Sun. */
  readonly balance: bigint
  /** Unix milliseconds. */
  readonly createdAt: number
  /** Time of its newest transaction, Unix milliseconds; 0: it sent none. */
  readonly operatedAt: number
  readonly nonce: bigint
  readonly isContract: boolean
  /** Bandwidth and energy of a day from staked TRX. */
  readonly staked: { readonly net: number; readonly energy: number }
  readonly freeNet: Usage
  readonly net: Usage
  readonly energy: Usage
}

/** Code of a contract. */
export interface CodeEntry {
  readonly kind: 'code'
  readonly index: string
  readonly address: string
  readonly code: Uint8Array
  /** `SmartContract` of the protocol; null for a contract that a contract made. */
  readonly contract: Fields | null
}

export interface SlotEntry {
  readonly kind: 'slot'
  readonly index: string
  readonly address: string
  /** 64 hex digits at most, without leading zeros. */
  readonly value: string
}

export type Entry = AccountEntry | CodeEntry | SlotEntry
export type State = StateReader<Entry>
export type View = StateView<Entry>

/** Slots are listed by their contract. */
export const ownersOf = (entry: Entry): readonly string[] => (entry.kind === 'slot' ? [entry.address] : [])

const NEVER: Usage = { used: 0, at: 0 }

export const accountIn = (state: State, address: string): AccountEntry | null => {
  const entry = state.get(`account:${address}`)
  return entry?.kind === 'account' ? entry : null
}

export const newAccount = (address: string, createdAt: number, balance = 0n): AccountEntry => ({
  ...{ kind: 'account', index: `account:${address}`, address, balance, createdAt, isContract: false },
  ...{ nonce: 0n, operatedAt: 0 },
  ...{ staked: { net: 0, energy: 0 }, freeNet: NEVER, net: NEVER, energy: NEVER },
})

export const codeIn = (state: State, address: string): CodeEntry | null => {
  const entry = state.get(`code:${address}`)
  return entry?.kind === 'code' ? entry : null
}

export const putCode = (view: View, address: string, code: Uint8Array, contract: Fields | null): void =>
  view.put({ kind: 'code', index: `code:${address}`, address, code, contract })

const slotIndex = (address: string, key: string): string => `slot:${address}:${key}`

export const slotIn = (state: State, address: string, key: string): string => {
  const entry = state.get(slotIndex(address, key))
  return entry?.kind === 'slot' ? entry.value : ''
}

/** An empty value removes the slot. */
export const putSlot = (view: View, address: string, key: string, value: string): void => {
  const entry: SlotEntry = { kind: 'slot', index: slotIndex(address, key), address, value }
  if (value !== '') view.put(entry)
  else if (view.get(entry.index) !== undefined) view.erase(entry)
}

/** Removes a contract that destroyed itself, or clears its storage alone. */
export const eraseStorage = (view: View, address: string): void => {
  for (const entry of [...view.ofOwner(address)]) view.erase(entry)
}

export const eraseContract = (view: View, address: string): void => {
  eraseStorage(view, address)
  for (const entry of [codeIn(view, address), accountIn(view, address)]) if (entry !== null) view.erase(entry)
}

/** Adds to the balance of an account, which must exist and have the amount if it is negative. */
export const addBalance = (view: View, address: string, amount: bigint): void => {
  const account = accountIn(view, address)
  if (account === null || account.balance + amount < 0n) throw new Error(`${address} does not have ${-amount} sun`)
  view.put({ ...account, balance: account.balance + amount })
}
