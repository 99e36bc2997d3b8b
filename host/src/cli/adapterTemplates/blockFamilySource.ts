/** `src/parts.ts` of a chain whose blocks are read for deposits: of contracts, or of coins. */
export const BLOCK_PARTS = `
import type { ChainDeps, Live } from '@causeway/core/chain'
import { AdapterShell, DepositLookup, EndpointMonitor, HeadFollower, HeadPace, type JsonRpcEndpoint, type JsonRpcNode, WakeSignal, watchLoop } from '@causeway/core/chain-kit'
import type { Json } from '@causeway/core'
import { COIN, normalizeCurrency, validateAddress } from './address.js'
import { beginAt, beginBefore, hold, readTransactions, stepFrom } from './deposits.js'
import { __CLASS__Lane } from './lane.js'
import { BLOCK_MS, headOf, openNodes, probeOf } from './nodes.js'
import type { ChainOptions } from './options.js'
import { toBeDone } from './toBeDone.js'

/** Parts of core's kit (core/docs/kit) over this chain's nodes, deposits and payments. */
export const partsOf = (options: ChainOptions, deps: ChainDeps) => {
  const { config, logger } = deps
  const { pollIntervalMs = 1000 } = options
  const { settle } = config.confirmations
  const rpc = openNodes(options, deps)
  const pace = new HeadPace(BLOCK_MS)
  const monitor: EndpointMonitor<JsonRpcNode> = new EndpointMonitor({
    pool: rpc,
    probe: probeOf(settle),
    intervalMs: pollIntervalMs,
    pace,
    headTime: () => heads.latest?.time ?? null,
    logger,
  })
  const wake = new WakeSignal()
  const heads = new HeadFollower({ read: () => headOf(rpc), pace, pollIntervalMs, logger })
  heads.onHead(() => wake.hint())
  const lookup = new DepositLookup<JsonRpcEndpoint>({
    pool: rpc,
    monitor,
    settle,
    read: (txs, endpoint) => readTransactions(txs, endpoint ?? rpc),
    hold,
  })
  const reading = {
    recheckDeposits: lookup.recheckDeposits,
    confirmDeposit: lookup.confirmDeposit,
    findTransaction: lookup.findTransaction,
    cursorAt: async (height: bigint): Promise<Json> => ({ ...(await beginBefore(height, rpc)) }),
    watch: (cursor: Json, _live: Live, signal: AbortSignal) =>
      watchLoop(signal, { begin: () => beginAt(cursor, rpc), step: (at) => stepFrom(at, rpc), wake, pollIntervalMs, logger }),
  }
  const shell = new AdapterShell({
    config,
    logger,
    native: COIN,
    validateAddress,
    normalizeCurrency,
    pool: rpc,
    monitor,
    heads,
    ask: (endpoint) => headOf(endpoint),
    follow: () => heads.start(),
    wake: () => wake.hint(),
  })
  const getBalances = async () =>
    toBeDone('getBalances', 'amounts in the order asked; null where the chain does not tell one')
  return { reader: { ...shell, ...reading, getBalances }, lane: new __CLASS__Lane(options, deps) }
}
`

/** `src/deposits.ts` of a chain whose blocks are read for deposits. */
export const BLOCK_DEPOSITS = `
import type { Json } from '@causeway/core'
import type { BlockRef, TxRef } from '@causeway/core/chain'
import type { ChainReading, JsonRpcClient, JsonRpcEndpoint, WatchStep } from '@causeway/core/chain-kit'
import { toBeDone } from './toBeDone.js'

/** How far blocks were read. */
export interface Cursor {
  readonly height: string
  readonly hash: string
}

/** Where a watcher begins: at its stored cursor, or at the newest block. */
export const beginAt = async (_stored: Json, _rpc: JsonRpcClient): Promise<Cursor> =>
  toBeDone('watch', 'read the stored cursor, or begin at the newest block')

/** The cursor from which a height is read first, so that \`causeway deposits rescan\` can read a range again. */
export const beginBefore = async (_height: bigint, _rpc: JsonRpcClient): Promise<Cursor> =>
  toBeDone('cursorAt', 'the cursor of the block below a height')

/** Reads on: __DEPOSITS__; goes back, and says so, where blocks left the chain (core/docs/kit/watching.md). */
export const stepFrom = async (_cursor: Cursor, _rpc: JsonRpcClient): Promise<WatchStep<Cursor>> =>
  toBeDone('watch', '__DEPOSITS__, from a cursor on, also when blocks leave the chain')

/** What a node, or any, shows of transactions. */
export const readTransactions = async (_txs: readonly TxRef[], _asked: Pick<JsonRpcEndpoint, 'batch'>): Promise<ChainReading> =>
  toBeDone('recheckDeposits, confirmDeposit, findTransaction', 'transactions by id, and how far the node had come')

/** Whether blocks stand in a node's own chain. */
export const hold = async (_blocks: readonly BlockRef[], _node: JsonRpcEndpoint): Promise<readonly boolean[]> =>
  toBeDone('recheckDeposits', 'whether a node has these very blocks in its chain')
`
