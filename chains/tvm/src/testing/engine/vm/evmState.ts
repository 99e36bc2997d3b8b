import { StateView } from '@causeway/core/testing'
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account, type Address, bytesToUnprefixedHex, hexToBytes, KECCAK256_NULL } from '@ethereumjs/util'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { addressOfWord } from '../../wire/addresses.js'
import {
  accountIn,
  codeIn,
  type Entry,
  eraseContract,
  eraseStorage,
  newAccount,
  putCode,
  putSlot,
  slotIn,
  type View,
} from '../state.js'

const addressOf = ({ bytes }: Address): string => addressOfWord(bytes)

/** The state of the network, as the EVM of `@ethereumjs` reads and writes it. */
export class EvmState implements StateManagerInterface {
  readonly #views: View[]
  /** The state before the transaction, for the price of a write. */
  readonly originalStorageCache

  constructor(
    view: View,
    readonly createdAt: number,
  ) {
    this.#views = [view]
    const before: View = new StateView<Entry>(view)
    this.originalStorageCache = {
      get: async (address: Address, key: Uint8Array) => bytesOfValue(slotIn(before, addressOf(address), keyOf(key))),
      clear: () => undefined,
    }
  }

  get #view(): View {
    const view = this.#views.at(-1)
    if (view === undefined) throw new Error('The state has no checkpoint')
    return view
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const account = accountIn(this.#view, addressOf(address))
    if (account === null) return undefined
    const code = codeIn(this.#view, account.address)?.code
    const hash = code === undefined || code.length === 0 ? KECCAK256_NULL : keccak_256(code)
    return new Account(account.nonce, account.balance, undefined, hash, code?.length ?? 0)
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    await (account === undefined ? this.deleteAccount(address) : this.modifyAccountFields(address, account))
  }

  async deleteAccount(address: Address): Promise<void> {
    const account = accountIn(this.#view, addressOf(address))
    if (account !== null) this.#view.erase(account)
  }

  async modifyAccountFields(address: Address, { balance, nonce }: AccountFields): Promise<void> {
    const hex = addressOf(address)
    const before = accountIn(this.#view, hex) ?? newAccount(hex, this.createdAt)
    this.#view.put({ ...before, balance: balance ?? before.balance, nonce: nonce ?? before.nonce })
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    const hex = addressOf(address)
    const account = accountIn(this.#view, hex) ?? newAccount(hex, this.createdAt)
    this.#view.put({ ...account, isContract: true })
    putCode(this.#view, hex, code, null)
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return codeIn(this.#view, addressOf(address))?.code ?? new Uint8Array()
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return bytesOfValue(slotIn(this.#view, addressOf(address), keyOf(key)))
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    putSlot(this.#view, addressOf(address), keyOf(key), bytesToUnprefixedHex(value).replace(/^(00)+/, ''))
  }

  async clearStorage(address: Address): Promise<void> {
    eraseStorage(this.#view, addressOf(address))
  }

  async checkpoint(): Promise<void> {
    this.#views.push(new StateView<Entry>(this.#view))
  }

  async commit(): Promise<void> {
    const changes = this.#views.pop()?.changes() ?? []
    this.#view.take(changes)
  }

  async revert(): Promise<void> {
    this.#views.pop()
  }

  /** Removes a contract that destroyed itself. */
  destroy(address: string): void {
    eraseContract(this.#view, address)
  }

  clearCaches(): void {}

  shallowCopy(): EvmState {
    return new EvmState(new StateView<Entry>(this.#view), this.createdAt)
  }

  // The state of this network has no roots.
  getStateRoot = (): Promise<Uint8Array> => noRoot()
  setStateRoot = (): Promise<void> => noRoot()
  hasStateRoot = (): Promise<boolean> => noRoot()
}

const noRoot = async (): Promise<never> => {
  throw new Error('The state has no root')
}

const keyOf = (key: Uint8Array): string => bytesToUnprefixedHex(key).padStart(64, '0')

const bytesOfValue = (hex: string): Uint8Array => (hex === '' ? new Uint8Array() : hexToBytes(`0x${hex}`))
