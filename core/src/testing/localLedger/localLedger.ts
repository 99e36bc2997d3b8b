import type { RpcEndpoint } from '../../chain/endpoint/rpcEndpoint.js'
import type { NodeFault } from '../localChain/localChain.js'
import type { BlockStore, LedgerBlock } from './blockStore.js'
import { LedgerView, type Shown } from './ledgerView.js'
import { NodeFaults, type RunCall } from './nodeFaults.js'
import { type Controls, type NodeDialect, type NodeServer, serveNode } from './nodeServer.js'

/** A chain without its nodes: accounts, balances and the rules of transactions. */
export interface LedgerEngine<T, B extends LedgerBlock<T> = LedgerBlock<T>> {
  readonly blocks: BlockStore<T, B>
  /** Adds a block with the pending transactions. An engine that executes asynchronously returns a promise, and adds blocks one by one. */
  close(): unknown
  /** Adds an amount in the smallest unit; the next block has it. Currency: the native one by default. */
  fund(address: string, amount: bigint, currency?: string): void
  /** Undoes the effects of dropped blocks on the state. Absent: blocks stay. */
  undo?(dropped: readonly B[]): void
  /** Keeps new transactions out of blocks until `release`. Absent: no transaction waits for a block. */
  hold?(): void
  /** Ends `hold`: drops the held transactions, or leaves them to the next block. */
  release?(drop: boolean): void
}

/** One node of a ledger, for its dialect. */
export interface LedgerNode<T, B extends LedgerBlock<T>, E> {
  readonly engine: E
  readonly view: LedgerView<T, B>
  readonly run: RunCall
}

export interface LocalLedgerOptions<T, B extends LedgerBlock<T>, E extends LedgerEngine<T, B>> {
  /** Id in the configuration, which `adoptLedger` checks. */
  readonly chainId: number
  readonly engine: E
  /** Returns the dialect of a node; called once for each node. */
  readonly dialect: (node: LedgerNode<T, B, E>) => NodeDialect
  /** Controls of this chain alone, by name. */
  readonly controls?: Controls
  /** 0 (default): any free port. */
  readonly port?: number
  /** Milliseconds between blocks; 0 (default): on demand. */
  readonly blockMs?: number
}

/** A running node of a ledger. */
export interface ServedNode extends NodeServer {
  readonly endpoint: RpcEndpoint
}

/** A local ledger that runs in this process, and its first node. */
export interface ServedLedger<E> extends ServedNode {
  readonly engine: E
  /** Starts another node of the ledger, with faults of its own. */
  addNode(shown?: Shown): Promise<ServedNode>
}

/** Serves a ledger on 127.0.0.1, and makes its blocks. */
export const localLedger = async <T, B extends LedgerBlock<T>, E extends LedgerEngine<T, B>>(
  options: LocalLedgerOptions<T, B, E>,
): Promise<ServedLedger<E>> => {
  const { engine, dialect, port = 0, blockMs = 0 } = options
  const nodes = new Set<NodeServer>()
  const open = async (shown: Shown, at = 0): Promise<ServedNode> => {
    const view = new LedgerView(engine.blocks)
    view.show(shown)
    const faults = new NodeFaults(loser(engine))
    const run: RunCall = (method, call) => faults.run(method, call)
    const own = {
      ...nodeControls(view, faults),
      addNode: async (more?: Shown) => (await open(more ?? {})).port,
      // Closing ends the connection that asks for it, so the answer goes first.
      closeNode: () => void setImmediate(() => server.close()),
    }
    const controls = { ...ledgerControls(options), ...own, ...options.controls }
    const server = await serveNode({ port: at, dialect: dialect({ engine, view, run }), controls })
    nodes.add(server)
    return { ...server, endpoint: { http: `http://127.0.0.1:${server.port}` } }
  }
  const first = await open({}, port)
  const clock = blockMs > 0 ? setInterval(() => engine.close(), blockMs) : undefined
  return {
    ...first,
    engine,
    addNode: (shown = {}) => open(shown),
    close: async () => {
      clearInterval(clock)
      await Promise.all([...nodes].map((node) => node.close()))
    },
  }
}

/** Controls of one node. */
const nodeControls = <T, B extends LedgerBlock<T>>(view: LedgerView<T, B>, faults: NodeFaults): Controls => ({
  height: () => view.head.height,
  show: (shown: Shown) => view.show(shown),
  fail: (fault: NodeFault) => faults.add(fault),
  refuse: (method: string, refused: boolean) => faults.refuse(method, refused),
  clearFaults: () => faults.clear(),
  counts: () => Object.fromEntries(faults.counts),
})

/** Controls of the ledger, the same at each of its nodes. */
const ledgerControls = <T, B extends LedgerBlock<T>, E extends LedgerEngine<T, B>>({
  engine,
  chainId,
}: LocalLedgerOptions<T, B, E>): Controls => {
  const close = async (blocks: number): Promise<void> => {
    for (let made = 0; made < blocks; made += 1) await engine.close()
  }
  return {
    chainId: () => chainId,
    genesis: () => engine.blocks.block(engine.blocks.first)?.hash,
    advance: close,
    wind: (milliseconds: number) => engine.blocks.wind(milliseconds),
    fund: (address: string, amount: string, currency: string | null) => {
      engine.fund(address, BigInt(amount), currency ?? undefined)
      return close(1)
    },
    reorg: (depth: number) => reorganise(engine, depth),
    hold: () => engine.hold?.(),
    release: (drop: boolean) => engine.release?.(drop),
  }
}

/** Drops the newest blocks, and adds as many others. @throws Error if the blocks of the chain stay */
export const reorganise = async <T, B extends LedgerBlock<T>>(
  engine: LedgerEngine<T, B>,
  depth: number,
): Promise<void> => {
  if (engine.undo === undefined) throw new Error('Blocks of this chain stay')
  const dropped = engine.blocks.drop(depth)
  engine.undo(dropped)
  for (const _ of dropped) await engine.close()
}

/** Runs calls whose transactions never come into a block. */
const loser = <T, B extends LedgerBlock<T>>(engine: LedgerEngine<T, B>) =>
  engine.hold && engine.release
    ? <R>(call: () => R): R => {
        engine.hold?.()
        try {
          return call()
        } finally {
          engine.release?.(true)
        }
      }
    : undefined
