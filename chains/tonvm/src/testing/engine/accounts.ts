import type { StateEntry, StateReader } from '@causeway/core/testing'
import { Address, beginCell, Cell, loadShardAccount, type ShardAccount, storeShardAccount } from '@ton/core'
import type { AccountCell } from './vm/tonVm.js'

/** State of one account; the index is its raw address. */
export interface AccountEntry extends StateEntry {
  readonly cell: AccountCell
}

const EMPTY: AccountCell = beginCell()
  .store(storeShardAccount({ lastTransactionHash: 0n, lastTransactionLt: 0n }))
  .endCell()
  .toBoc()
  .toString('base64')

/** Cell of an account's state; of an empty one if the account does not exist. */
export const accountCell = (state: StateReader<AccountEntry>, address: string): AccountCell =>
  state.get(address)?.cell ?? EMPTY

export const parseAccount = (cell: AccountCell): ShardAccount => loadShardAccount(Cell.fromBase64(cell).beginParse())

export const accountAt = (state: StateReader<AccountEntry>, address: string): ShardAccount =>
  parseAccount(accountCell(state, address))

/** Raw form of an address in any spelling. @throws Error for another text */
export const rawAddress = (text: string): string => Address.parse(text).toRawString()
