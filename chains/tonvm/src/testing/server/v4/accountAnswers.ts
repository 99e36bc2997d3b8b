import { type Address, Cell, parseTuple, type ShardAccount, serializeTuple, type TupleItem } from '@ton/core'
import type { BlockName, TonView } from '../tonView.js'

const base64 = (cell: Cell | null | undefined): string | null =>
  cell ? cell.toBoc({ idx: false }).toString('base64') : null

const hash64 = (cell: Cell | null | undefined): string => (cell ?? Cell.EMPTY).hash().toString('base64')

export const hashBytes = (hash: bigint): string =>
  Buffer.from(hash.toString(16).padStart(64, '0'), 'hex').toString('base64')

export const blockJson = ({ workchain, seqno, shard, rootHash, fileHash }: BlockName) => ({
  ...{ workchain, seqno, shard, rootHash, fileHash },
})

const stateJson = ({ account }: ShardAccount, isLite: boolean) => {
  const state = account?.storage.state
  if (state?.type === 'frozen') return { type: 'frozen', stateHash: hashBytes(state.stateHash) }
  if (state?.type !== 'active') return { type: 'uninit' }
  const { code, data } = state.state
  return isLite
    ? { type: 'active', codeHash: hash64(code), dataHash: hash64(data) }
    : { type: 'active', code: base64(code), data: base64(data) }
}

const storageJson = ({ account }: ShardAccount) => {
  if (account === undefined || account === null) return null
  const { lastPaid, duePayment, used } = account.storageStats
  return {
    lastPaid,
    duePayment: duePayment === undefined || duePayment === null ? null : String(duePayment),
    used: { bits: Number(used.bits), cells: Number(used.cells), publicCells: 0 },
  }
}

/** An account after a block; with hashes instead of code and data if `isLite`. */
export const accountJson = (node: TonView, seqno: number, address: Address, isLite: boolean) => {
  const found = node.account(address, seqno)
  const { account, lastTransactionLt, lastTransactionHash } = found
  return {
    account: {
      state: stateJson(found, isLite),
      balance: { coins: String(account?.storage.balance.coins ?? 0n), currencies: {} },
      last: lastTransactionLt === 0n ? null : { lt: String(lastTransactionLt), hash: hashBytes(lastTransactionHash) },
      storageStat: storageJson(found),
    },
    ...(isLite ? {} : { block: blockJson(node.nameOf(node.block(seqno))) }),
  }
}

export const changedJson = (node: TonView, seqno: number, address: Address, lt: bigint) => {
  const { lastTransactionLt } = node.account(address, seqno)
  const changed = lastTransactionLt === 0n || lastTransactionLt > lt
  return { changed, block: blockJson(node.nameOf(node.block(seqno))) }
}

const itemJson = (item: TupleItem): object => {
  if (item.type === 'int') return { type: 'int', value: String(item.value) }
  if (item.type === 'tuple') return { type: 'tuple', items: item.items.map(itemJson) }
  if (item.type === 'null' || item.type === 'nan') return { type: item.type }
  return { type: item.type, cell: base64(item.cell) }
}

/** A get method on the state after a block; `args` is the tuple of its parameters in base64. */
export const runJson = (node: TonView, seqno: number, address: Address, method: string, args: string | undefined) => {
  const stack = args === undefined ? [] : parseTuple(Cell.fromBase64(args.replaceAll('-', '+').replaceAll('_', '/')))
  const block = node.block(seqno)
  const found = node.ledger.vm.runGetMethod(node.account(address, seqno), method, stack, block.time)
  const isDone = found.exitCode === 0 || found.exitCode === 1
  return {
    arguments: stack.map(itemJson),
    result: isDone ? found.stack.map(itemJson) : null,
    exitCode: found.exitCode,
    resultRaw: isDone ? base64(serializeTuple([...found.stack])) : null,
    block: blockJson(node.nameOf(block)),
    shardBlock: blockJson(node.nameOf(block, 0)),
  }
}
