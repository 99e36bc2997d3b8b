import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RpcEndpoint } from '../../chain/endpoint/rpcEndpoint.js'
import { endDetachedNode, startDetachedNode } from '../detachedNode.js'
import type { LocalChain, LocalChainOptions, NodeFault, RunningChain } from '../localChain/localChain.js'
import type { Shown } from './ledgerView.js'
import { controlNode, type NodeServer } from './nodeServer.js'

/** Options of `open` of a chain's module. */
export interface OpenLedgerOptions {
  readonly chainId: number
  readonly port: number
  readonly blockMs: number
}

/** Location of a ledger, and how it ends. */
export interface HandleParts extends RunningChain {
  /** Ends the ledger, or this node of it. */
  readonly end: () => Promise<void>
}

/** A kind of local ledger, and how it starts. */
export interface LedgerKind<H> extends LedgerModule<OpenLedgerOptions> {
  /** Default interval between blocks. */
  readonly blockMs: number
  /** Where clients reach the node on a port. */
  readonly endpointAt?: (port: number) => RpcEndpoint
  readonly handle: (parts: HandleParts) => H
}

/** A local ledger, here or in a process of its own, reached over its port alone. */
export class LedgerHandle implements LocalChain {
  readonly chainId: number
  readonly endpoint: RpcEndpoint
  readonly pid: number | null
  readonly #end: () => Promise<void>

  constructor({ chainId, endpoint, pid, end }: HandleParts) {
    this.chainId = chainId
    this.endpoint = endpoint
    this.pid = pid
    this.#end = end
  }

  /** A subclass sets null where blocks stay. */
  readonly reorg: LocalChain['reorg'] = (depth) => this.control('reorg', depth)

  genesisHash(): Promise<string> {
    return this.control('genesis')
  }

  height(): Promise<number> {
    return this.control('height')
  }

  fund(address: string, amount: bigint, currency?: string): Promise<void> {
    return this.control('fund', address, amount, currency ?? null)
  }

  advance(blocks = 1): Promise<void> {
    return this.control('advance', blocks)
  }

  /** Sets the clock of the next blocks forward. */
  wind(milliseconds: number): Promise<void> {
    return this.control('wind', milliseconds)
  }

  lag(blocks: number): Promise<void> {
    return this.show({ lag: blocks })
  }

  forget(kept: number): Promise<void> {
    return this.show({ kept })
  }

  /** Changes what this node shows of the ledger. */
  show(shown: Shown): Promise<void> {
    return this.control('show', shown)
  }

  failNext(fault: NodeFault): Promise<void> {
    return this.control('fail', fault)
  }

  /** Removes a method from this node, as in an older version, or restores it. */
  refuse(method: string, refused = true): Promise<void> {
    return this.control('refuse', method, refused)
  }

  clearFaults(): Promise<void> {
    return this.control('clearFaults')
  }

  /** Number of calls of this node so far, by method. */
  counts(): Promise<Readonly<Record<string, number>>> {
    return this.control('counts')
  }

  /** Accepts transactions, and includes none of them until `releaseTransactions`. */
  holdTransactions(): Promise<void> {
    return this.control('hold')
  }

  /** Leaves the held transactions to the next block. */
  releaseTransactions(): Promise<void> {
    return this.control('release', false)
  }

  /** Drops the held transactions, as a restarted node does. */
  dropTransactions(): Promise<void> {
    return this.control('release', true)
  }

  /** Starts another node of the ledger, with faults of its own. */
  async addNode(shown: Shown = {}): Promise<LedgerHandle> {
    const http = `http://127.0.0.1:${await this.control<number>('addNode', shown)}`
    const endpoint = { http, ...(this.endpoint.ws === undefined ? {} : { ws: http.replace(/^http/, 'ws') }) }
    const end = () => controlNode(http, 'closeNode')
    return new LedgerHandle({ chainId: this.chainId, endpoint, pid: null, end })
  }

  close(): Promise<void> {
    return this.#end()
  }

  control<T = void>(name: string, ...params: readonly unknown[]): Promise<T> {
    return controlNode(this.endpoint.http, name, ...params)
  }
}

const bothAt = (port: number): RpcEndpoint => ({ http: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}` })

/** Starts a local ledger on 127.0.0.1. @throws Error with the end of its log if it does not start */
export const startLedger = async <H>(
  kind: LedgerKind<H>,
  { detached, logPath, port = 0, blockMs = kind.blockMs, chainId }: LocalChainOptions,
): Promise<H> => {
  const { endpointAt = bothAt } = kind
  const running = await runLedger(kind, { chainId, port, blockMs }, { detached, logPath })
  return kind.handle({ chainId, endpoint: endpointAt(running.port), pid: running.pid, end: running.end })
}

/** Connects to a running local ledger. @throws Error if it does not answer, or has another id */
export const adoptLedger = async <H>(kind: Pick<LedgerKind<H>, 'handle'>, running: RunningChain): Promise<H> => {
  const { chainId, endpoint, pid } = running
  const found = await controlNode<number>(endpoint.http, 'chainId')
  if (found !== chainId) throw new Error(`The ledger at ${endpoint.http} is of the network ${found}, not ${chainId}`)
  const end = async () => {
    if (pid !== null) await endDetachedNode(pid)
  }
  return kind.handle({ chainId, endpoint, pid, end })
}

/** The file of a module in `dist`, also if the caller runs from `src`. */
const builtFile = (url: string): string => fileURLToPath(url).replace(/^(.*)\/src\/((?:(?!\/dist\/).)*)$/, '$1/dist/$2')

/** How a local ledger is opened. */
export interface LedgerModule<O extends object> {
  /** URL of the module that exports `open`, for a process of its own. */
  readonly module: string
  readonly open: (options: O) => Promise<NodeServer>
}

/**
 * Opens a ledger here, or in a process that outlives this one, which needs the built package.
 * @throws Error with the end of its log if it does not start
 */
export const runLedger = async <O extends object>(
  { module, open }: LedgerModule<O>,
  options: O,
  { detached = false, logPath }: { readonly detached?: boolean | undefined; readonly logPath?: string | undefined },
): Promise<{ readonly port: number; readonly pid: number | null; readonly end: () => Promise<void> }> => {
  if (!detached) {
    const server = await open(options)
    return { port: server.port, pid: null, end: () => server.close() }
  }
  const { pid, port } = await startDetachedNode({
    main: builtFile(new URL('./ledgerProcess.js', import.meta.url).href),
    flags: { module: builtFile(module), options: JSON.stringify(options) },
    logPath: logPath ?? join(mkdtempSync(join(tmpdir(), 'causeway-ledger-')), 'node.log'),
  })
  return { port, pid, end: () => endDetachedNode(pid) }
}
