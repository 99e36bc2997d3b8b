import { type Json, ServiceError } from '@causeway/core'
import type { Arrival, ArrivalPage, ChainDeps, LiveAddresses } from '@causeway/core/chain'
import {
  askInOrder,
  type IndexedLedger,
  type JsonRpcEndpoint,
  type WatchStep,
  watchLoop,
} from '@causeway/core/chain-kit'
import { askOne, type LedgerNode } from '../../../adapter/ledgerChain/src/ledgerNode.js'
import { blockRef } from '../../../adapter/ledgerChain/src/ledgerSource.js'
import type { LedgerBlock, LedgerRecord } from '../../../adapter/ledgerChain/src/transaction.js'
import type { SimRecord } from '../simTransaction.js'

/** Memo of native money that a contract pays: blocks do not show such a payment, only balances do. */
export const BY_CONTRACT = 'by a contract'

/** What watching takes of a ledger. */
export interface WatchedLedger {
  readonly node: LedgerNode
  /** How many of the newest blocks may leave; 0 where none does. */
  readonly settle: number
  readonly wake: IndexedLedger<JsonRpcEndpoint, LedgerRecord>['wake']
  /** Those that are configured. */
  readonly currencies: readonly string[]
  readonly pollIntervalMs: number
  readonly logger: ChainDeps['logger']
}

interface ArrivalDeps extends WatchedLedger {
  readonly live: LiveAddresses
}

/** The block that was read last. */
interface Cursor {
  readonly height: number
  readonly hash: string
}

type Step = WatchStep<Cursor, ArrivalPage>

/** Reads whole blocks and compares whom they paid with the addresses in memory, from a cursor on until the signal aborts. */
export const watchArrivals = (stored: Json, deps: ArrivalDeps, signal: AbortSignal): AsyncIterable<ArrivalPage> => {
  const { node, wake, pollIntervalMs, logger } = deps
  return watchLoop<Cursor, ArrivalPage>(signal, {
    // CAST: what `pageAt` stored.
    begin: async () => (stored === null ? cursorAt(await node.head()) : (stored as unknown as Cursor)),
    step: (cursor) => step(cursor, deps),
    wake,
    pollIntervalMs,
    logger,
  })
}

const step = async (cursor: Cursor, deps: ArrivalDeps): Promise<Step> => {
  try {
    return await askInOrder(deps.node.rpc.pool, (endpoint) => stepOn(endpoint, cursor, deps))
  } catch (error) {
    if (error instanceof BehindError) return { cursor, page: null, rest: 'full' }
    throw error
  }
}

/** All of one step comes from one node. */
const stepOn = async (endpoint: JsonRpcEndpoint, cursor: Cursor, deps: ArrivalDeps): Promise<Step> => {
  const { node, live, settle } = deps
  const head = await node.head(endpoint)
  if (head.height < cursor.height) throw new BehindError()
  if (head.height === cursor.height && head.hash === cursor.hash) return { cursor, page: null, rest: 'full' }
  if (settle > 0 && (await node.block(cursor.height, endpoint))?.hash !== cursor.hash) {
    const back = await node.block(Math.max(0, cursor.height - settle - 1), endpoint)
    if (back === null) throw new BehindError()
    return { cursor: cursorAt(back), page: pageAt(back, head, [], BigInt(back.height)), rest: 'none' }
  }
  await live.refresh()
  const records = await askOne<readonly SimRecord[]>(endpoint, 'ledger_blocks', [cursor.height + 1, head.height])
  const arrivals = records.flatMap((record) => arrivalOf(record, deps) ?? [])
  return { cursor: cursorAt(head), page: pageAt(head, head, arrivals, null), rest: 'none' }
}

const arrivalOf = ({ id, transfer, status, block }: SimRecord, { live, currencies }: ArrivalDeps): Arrival | null => {
  const { to, from, currency, amount, memo } = transfer
  if (memo === BY_CONTRACT || status !== 'success' || block === null || !live.has(to) || !currencies.includes(currency))
    return null
  return {
    state: 'included',
    tx: { id },
    position: 0,
    to: { address: to },
    money: { currency, amount: BigInt(amount) },
    sender: from,
    block: blockRef(block),
  }
}

const cursorAt = ({ height, hash }: LedgerBlock): Cursor => ({ height, hash })

const pageAt = (
  at: LedgerBlock,
  head: LedgerBlock,
  arrivals: readonly Arrival[],
  rewoundTo: bigint | null,
): ArrivalPage => ({
  arrivals,
  cursor: { ...cursorAt(at) },
  height: BigInt(at.height),
  tip: BigInt(head.height),
  rewoundTo,
})

/** What a node that has come no further than the cursor says: another one may have. */
class BehindError extends ServiceError {
  override readonly name = 'BehindError'

  constructor() {
    super('SERVICE_UNAVAILABLE', 'A node of this chain is behind what was read of it.')
  }
}
