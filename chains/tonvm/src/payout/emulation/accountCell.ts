import {
  type Account,
  Address,
  beginCell,
  type Message,
  type AccountState as State,
  storeMessage,
  storeShardAccount,
} from '@ton/core'
import type { AccountState } from '../../rpc/tonApi.js'

/**
 * Base64 of the cell of an account as the executor takes it, without its last transaction.
 * @param now time up to which its rent counts as paid
 */
export const accountCell = (address: string, state: AccountState, now: number): string => {
  const { balance, last } = state
  const account: Account = {
    addr: Address.parseRaw(address),
    storageStats: { used: { cells: 0n, bits: 0n }, storageExtra: null, lastPaid: now, duePayment: null },
    storage: { lastTransLt: 0n, balance: { coins: balance }, state: stateOf(state) },
  }
  const isAbsent = last === null && balance === 0n && state.code === null
  const shard = { account: isAbsent ? null : account, lastTransactionHash: 0n, lastTransactionLt: 0n }
  return beginCell().store(storeShardAccount(shard)).endCell().toBoc().toString('base64')
}

const stateOf = ({ status, code, data }: AccountState): State => {
  if (status === 'uninitialized') return { type: 'uninit' }
  // No node shows the hash of a frozen state: no message restores the account here.
  return status === 'frozen' ? { type: 'frozen', stateHash: 0n } : { type: 'active', state: { code, data } }
}

/** Base64 of the cell of a message. */
export const messageCell = (message: Message): string =>
  beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64')
