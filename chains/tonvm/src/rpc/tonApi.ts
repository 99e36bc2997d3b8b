import type { BlockRef, BroadcastResult } from '@causeway/core/chain'
import { type Endpoint, type EndpointPool, strangeAnswer } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { Address, Cell, loadTransaction, type Transaction, type TupleItem } from '@ton/core'

export const SEQNO = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })
export const COUNT = Type.String({ pattern: '^\\d{1,39}$' })
/** A transaction in a list of a block. */
export const COMMITTED = Type.Object({ account: Type.String(), lt: COUNT, hash: Type.String() })

/** Names a transaction of an account. */
export interface TransactionName {
  readonly lt: bigint
  /** 64 hex digits. */
  readonly hash: string
}

/** An account after a masterchain block. */
export interface AccountState {
  readonly balance: bigint
  readonly status: 'active' | 'frozen' | 'uninitialized'
  readonly code: Cell | null
  readonly data: Cell | null
  /** Null: the account has no transaction yet. */
  readonly last: TransactionName | null
}

/** A transaction of workchain 0 that a masterchain block commits; the address is raw. */
export interface CommittedTransaction extends TransactionName {
  readonly address: string
}

/** A node by its protocol. Each question throws ServiceError when the node does not answer, or answers in another shape. */
export interface TonApi {
  /** The newest masterchain block, its root hash as the hash, and the root hash of the network's zero state. */
  newest(signal: AbortSignal): Promise<BlockRef & { readonly genesis: string }>
  /** A masterchain block; null where the node does not have it. */
  block(height: bigint, signal: AbortSignal): Promise<BlockRef | null>
  /** An account after a masterchain block; null where the node does not have that state. */
  account(address: string, height: bigint, signal: AbortSignal): Promise<AccountState | null>
  /** Transactions of an account from a named one on, newest first, as many as the node gives; none where the node lacks it. */
  transactions(address: string, from: TransactionName, signal: AbortSignal): Promise<readonly Transaction[]>
  /** Transactions of workchain 0 that a masterchain block commits. @throws ServiceError also where the node lacks them */
  committed(height: bigint, signal: AbortSignal): Promise<readonly CommittedTransaction[]>
  /** Result of a get method after a masterchain block; null if the contract has no such method. */
  run(call: MethodCall, signal: AbortSignal): Promise<readonly TupleItem[] | null>
  /** Base64 of the dictionary of the network's configuration. */
  config(signal: AbortSignal): Promise<string>
  send(boc: Uint8Array, signal: AbortSignal): Promise<BroadcastResult>
  close(): void
}

export interface MethodCall {
  readonly address: string
  readonly method: string
  readonly args: readonly Cell[]
  readonly height: bigint
}

export type TonNode = Endpoint<TonApi>
export type TonPool = EndpointPool<TonApi>

/** A node, or the pool of them. */
export interface Asked {
  ask<T>(question: (api: TonApi, signal: AbortSignal) => Promise<T>): Promise<T>
}

/**
 * Reads a page of transactions. Each transaction must be the one that the transaction before it names by its hash, so a node can neither
 * leave one out nor invent one. @throws ServiceError RPC_HTTP_ERROR for another transaction
 */
export const chainedPage = (cells: readonly Cell[], from: TransactionName): readonly Transaction[] => {
  let next = from
  return cells.map((cell) => {
    const transaction = readCells(() => loadTransaction(cell.beginParse()))
    if (transaction.lt !== next.lt || cell.hash().toString('hex') !== next.hash)
      throw strangeAnswer('a transaction that does not follow the one before it')
    next = previousOf(transaction)
    return transaction
  })
}

/** Names the transaction of the account before this one; its `lt` is 0 where there is none. */
export const previousOf = ({ prevTransactionLt, prevTransactionHash }: Transaction): TransactionName => ({
  lt: prevTransactionLt,
  hash: hex64(prevTransactionHash),
})

const hex64 = (hash: bigint): string => hash.toString(16).padStart(64, '0')

/** @throws ServiceError RPC_HTTP_ERROR for text that is no hash of 32 bytes in base64 */
export const hexOfBase64 = (text: string): string => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32) throw strangeAnswer('a hash of another length')
  return bytes.toString('hex')
}

export const base64OfHex = (hash: string): string => Buffer.from(hash, 'hex').toString('base64')

/** @throws ServiceError RPC_HTTP_ERROR for text that names no transaction */
export const committedOf = ({ account, lt, hash }: Static<typeof COMMITTED>): CommittedTransaction => ({
  ...{ address: readCells(() => Address.parse(account)).toRawString(), lt: BigInt(lt), hash: hexOfBase64(hash) },
})

/** The form of an address that every API takes. */
export const friendly = (address: string): string => Address.parseRaw(address).toString({ urlSafe: true })

/** @throws ServiceError RPC_HTTP_ERROR for text that is no cell */
export const cellOf = (base64: string): Cell => readCells(() => Cell.fromBase64(base64))

interface ShownAccount {
  readonly balance: string | number | bigint
  readonly status: AccountState['status']
  /** Base64; absent or empty: none. */
  readonly code?: string | null | undefined
  readonly data?: string | null | undefined
  readonly last: { readonly lt: string; readonly hash: string } | null
}

/** @throws ServiceError RPC_HTTP_ERROR for code, data or a hash that cannot be read */
export const accountOf = ({ balance, status, code, data, last }: ShownAccount): AccountState => ({
  ...{ balance: BigInt(balance), status, code: code ? cellOf(code) : null, data: data ? cellOf(data) : null },
  last: last && { lt: BigInt(last.lt), hash: hexOfBase64(last.hash) },
})

/** Reads cells of an answer. @throws ServiceError RPC_HTTP_ERROR for cells of another form */
export const readCells = <T>(read: () => T): T => {
  try {
    return read()
  } catch {
    throw strangeAnswer('a cell that cannot be read')
  }
}
