import { type BlockRef, type DepositEvent, type Hex, type Json, ServiceError, type WatchPage } from '@causeway/core'
import type { Heads } from './heads.js'
import type { LedgerNode } from './ledgerNode.js'
import type { LedgerBlock, LedgerRecord } from './transaction.js'

/** Blocks in one page. */
const PAGE_BLOCKS = 500
/** How far back to go, and again, while the block of the cursor is not on the ledger. */
const REWIND_BLOCKS = 16

interface Cursor {
  readonly height: number
  readonly hash: string
}

export const blockRef = ({ height, hash, time }: LedgerBlock): BlockRef => ({ height: BigInt(height), hash, time })

/** The order a memo names, or null: it must be the id and nothing else. */
export const orderIdOf = (memo: string): Hex | null => {
  const [id] = /^0x[0-9a-f]{64}$/.exec(memo) ?? []
  // CAST: matched above.
  return id === undefined ? null : (id as Hex)
}

/** What a record put into the depository, or null. */
export const depositOf = (record: LedgerRecord, depository: string): DepositEvent | null => {
  const { transfer, status, block, id, fee } = record
  if (status !== 'success' || block === null || transfer.to !== depository || transfer.from === depository) return null
  return {
    state: 'included',
    tx: { id },
    // A transaction of this ledger is one transfer.
    position: 0,
    index: 0,
    orderId: orderIdOf(transfer.memo),
    depositor: transfer.from,
    depository,
    money: { currency: transfer.currency, amount: BigInt(transfer.amount) },
    block: blockRef(block),
    txData: txDataOf(record),
    fee: BigInt(fee),
  }
}

export const txDataOf = ({ transfer: { from, to, memo, amount } }: LedgerRecord) => ({
  from,
  to,
  data: memo,
  value: amount,
})

/** Reads deposits from a cursor on, until the signal aborts. */
export async function* watchDeposits(
  stored: Json,
  signal: AbortSignal,
  deps: { readonly node: LedgerNode; readonly heads: Heads; readonly depository: string },
): AsyncGenerator<WatchPage> {
  const { node, heads } = deps
  // CAST: only this function makes cursors.
  let cursor = stored as unknown as Cursor | null
  while (!signal.aborted) {
    let page: WatchPage | null = null
    try {
      const head = await node.head()
      const from = cursor ?? head
      page = await readPage(from, head, deps)
      cursor ??= from
    } catch (error) {
      if (!ServiceError.is(error)) throw error
    }
    if (signal.aborted) return
    if (page !== null) {
      // CAST: as above.
      cursor = page.cursor as unknown as Cursor
      yield page
    } else await heads.wait(signal)
  }
}

/** The next page; null when there is nothing new. */
const readPage = async (
  cursor: Cursor,
  head: LedgerBlock,
  { node, depository }: { readonly node: LedgerNode; readonly depository: string },
): Promise<WatchPage | null> => {
  if (head.height === cursor.height && head.hash === cursor.hash) return null
  const to = Math.min(head.height, cursor.height + PAGE_BLOCKS)
  const { before, records, last } = await node.range(depository, cursor.height + 1, to)
  if (before?.hash !== cursor.hash) return rewind(cursor, head, node)
  if (last === null || last.height <= cursor.height) return null
  const deposits = records.flatMap((record) => depositOf(record, depository) ?? [])
  return pageAt(last, head, deposits, null)
}

/** Blocks are gone: goes back to one that is surely older, and says so. */
const rewind = async (cursor: Cursor, head: LedgerBlock, node: LedgerNode): Promise<WatchPage | null> => {
  const height = Math.max(0, Math.min(cursor.height, head.height) - REWIND_BLOCKS)
  const block = await node.block(height)
  return block === null ? null : pageAt(block, head, [], BigInt(height))
}

const pageAt = (
  { height, hash }: LedgerBlock,
  head: LedgerBlock,
  deposits: readonly DepositEvent[],
  rewoundTo: bigint | null,
): WatchPage => ({ deposits, cursor: { height, hash }, height: BigInt(height), tip: BigInt(head.height), rewoundTo })
