import { destinationText } from '@causeway/core'
import type { BlockRef, DepositEvent, TxRef } from '@causeway/core/chain'
import {
  type JsonRpcEndpoint,
  type LedgerSource,
  orderIdOf,
  type PageRequest,
  type TransactionReading,
} from '@causeway/core/chain-kit'
import type { LedgerNode } from './ledgerNode.js'
import type { LedgerBlock, LedgerRecord } from './transaction.js'

export const blockRef = ({ height, hash, time }: LedgerBlock): BlockRef => ({ height: BigInt(height), hash, time })

export const txDataOf = ({ transfer: { from, to, memo, amount } }: LedgerRecord) => ({
  from,
  to,
  data: memo,
  value: amount,
})

/** What core has to know of this ledger to read deposits: they are transfers to an account, and name their order in the memo. */
export class LedgerDeposits implements LedgerSource<JsonRpcEndpoint, LedgerRecord> {
  readonly #node: LedgerNode
  readonly #depository: string

  constructor(node: LedgerNode, depository: string) {
    this.#node = node
    this.#depository = depository
  }

  async head(endpoint: JsonRpcEndpoint): Promise<BlockRef> {
    return blockRef(await this.#node.head(endpoint))
  }

  async block(endpoint: JsonRpcEndpoint, height: bigint): Promise<BlockRef | null> {
    const block = await this.#node.block(Number(height), endpoint)
    return block && blockRef(block)
  }

  async page(endpoint: JsonRpcEndpoint, { account, after, upTo }: PageRequest) {
    const { records, history } = await this.#node.transfers(account, Number(after) + 1, Number(upTo), endpoint)
    return { transactions: records, more: null, since: BigInt(history) }
  }

  async transactions(endpoint: JsonRpcEndpoint, txs: readonly TxRef[]) {
    const { records, history } = await this.#node.records(
      txs.map(({ id }) => id),
      endpoint,
    )
    // An id has no height, so a node that lacks blocks denies no transfer.
    return records.map((record) => record ?? (history > 0 ? ('forgotten' as const) : null))
  }

  readingOf(record: LedgerRecord): TransactionReading {
    const { status, block } = record
    const deposit = this.#depositOf(record)
    return {
      status: status === 'failed' ? 'failure' : status,
      block: block && blockRef(block),
      deposits: deposit === null ? [] : [deposit],
    }
  }

  /** What a record put into the depository, or null. A transaction of this ledger is one transfer. */
  #depositOf(record: LedgerRecord): DepositEvent | null {
    const { transfer, status, block, id, fee } = record
    const { from, fromTag, to, memo, currency, amount } = transfer
    if (status !== 'success' || block === null || to !== this.#depository || from === to) return null
    return {
      state: 'included',
      tx: { id },
      position: 0,
      index: 0,
      orderId: orderIdOf(memo),
      depositor: destinationText({ address: from, ...(fromTag === undefined ? {} : { tag: fromTag }) }),
      depository: to,
      money: { currency, amount: BigInt(amount) },
      block: blockRef(block),
      txData: txDataOf(record),
      fee: BigInt(fee),
    }
  }
}
