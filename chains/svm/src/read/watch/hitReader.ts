import type { ChainDeps, DepositEvent } from '@causeway/core/chain'
import type { EndpointMonitor, JsonRpcClient } from '@causeway/core/chain-kit'
import { type ReadDeps, type Reading, readAlone, readDeposits } from '../../deposit/readDeposits.js'
import { type BoundNode, otherNodes } from './boundNode.js'
import type { Hit } from './signatureReader.js'

/** How long a node may list a transaction and not show it before others are asked. */
const MISSING_MS = 5000
const MAX_MISSED = 1000

/** Reads what stands behind hits and never skips one: a node that lists what it does not show is asked again, then the others. */
export class HitReader {
  readonly #rpc: JsonRpcClient
  readonly #read: ReadDeps
  readonly #logger: ChainDeps['logger']
  readonly #monitor: EndpointMonitor
  /** When each transaction that was listed and not shown was first missed. */
  readonly #missed = new Map<string, number>()
  #missedAt: number | null = null

  constructor(deps: {
    readonly rpc: JsonRpcClient
    readonly read: ReadDeps
    readonly monitor: EndpointMonitor
    readonly logger: ChainDeps['logger']
  }) {
    this.#rpc = deps.rpc
    this.#monitor = deps.monitor
    this.#read = deps.read
    this.#logger = deps.logger
  }

  /** True while a transaction that was listed a moment ago is not shown: it should be soon. */
  get isWaiting(): boolean {
    return this.#missedAt !== null && performance.now() - this.#missedAt < MISSING_MS
  }

  async read(hits: readonly Hit[], finalized: bigint, node: BoundNode): Promise<Reading> {
    const reading = await readDeposits(hits, finalized, node.ask, this.#read)
    const { missing } = reading
    this.#missedAt = missing === null ? null : this.#note(missing)
    if (missing === null) return reading
    if (this.isWaiting) return reading
    const found = await this.#elsewhere(missing, finalized, node)
    if (found === null) return reading
    return { deposits: [...reading.deposits, ...found], read: [...reading.read, missing], missing: null }
  }

  /** When it was first missed; a node that others have to correct again and again is not waited for again and again. */
  #note({ signature }: Hit): number {
    const since = this.#missed.get(signature) ?? performance.now()
    if (this.#missed.size >= MAX_MISSED) this.#missed.clear()
    this.#missed.set(signature, since)
    return since
  }

  async #elsewhere(hit: Hit, finalized: bigint, node: BoundNode): Promise<readonly DepositEvent[] | null> {
    for (const { ask, endpoint } of [node, ...otherNodes(this.#rpc, node.endpoint)]) {
      const found = await readAlone(hit, finalized, ask, this.#read).catch(() => null)
      if (found !== null) return found
      this.#logger.warn({ endpoint: endpoint.name, signature: hit.signature }, 'A listed transaction is not shown')
    }
    this.#monitor.report({
      subject: `transaction ${hit.signature}`,
      details: `${node.endpoint.name} lists it in slot ${hit.slot}, nobody shows it`,
    })
    // Another node may not list it: then there is nothing to wait for.
    node.endpoint.rest()
    return null
  }
}
