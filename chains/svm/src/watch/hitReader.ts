import type { ChainDeps, DepositEvent, JsonRpcClient } from '@causeway/core'
import { type BoundNode, otherNodes } from './boundNode.js'
import { type ReadDeps, type Reading, readAlone, readDeposits } from './readDeposits.js'
import type { Hit } from './signatureReader.js'

/** How long a node may list a transaction and not show it before others are asked. */
const MISSING_MS = 5000

/** Reads what stands behind hits and never skips one: a node that lists what it does not show is asked again, then the others. */
export class HitReader {
  readonly #rpc: JsonRpcClient
  readonly #read: ReadDeps
  readonly #logger: ChainDeps['logger']
  #missing: { readonly signature: string; readonly since: number } | null = null

  constructor(deps: {
    readonly rpc: JsonRpcClient
    readonly read: ReadDeps
    readonly logger: ChainDeps['logger']
  }) {
    this.#rpc = deps.rpc
    this.#read = deps.read
    this.#logger = deps.logger
  }

  /** True while a transaction that was listed a moment ago is not shown: it should be soon. */
  get isWaiting(): boolean {
    return this.#missing !== null && Date.now() - this.#missing.since < MISSING_MS
  }

  async read(hits: readonly Hit[], finalized: bigint, node: BoundNode): Promise<Reading> {
    const reading = await readDeposits(hits, finalized, node.ask, this.#read)
    const { missing } = reading
    if (missing === null) {
      this.#missing = null
      return reading
    }
    if (this.#missing?.signature !== missing.signature) {
      this.#missing = { signature: missing.signature, since: Date.now() }
    }
    if (this.isWaiting) return reading
    const found = await this.#elsewhere(missing, finalized, node)
    if (found === null) return reading
    return { deposits: [...reading.deposits, ...found], read: [...reading.read, missing], missing: null }
  }

  async #elsewhere(hit: Hit, finalized: bigint, node: BoundNode): Promise<readonly DepositEvent[] | null> {
    for (const { ask, endpoint } of [node, ...otherNodes(this.#rpc, node.endpoint)]) {
      const found = await readAlone(hit, finalized, ask, this.#read).catch(() => null)
      if (found !== null) return found
      this.#logger.warn({ endpoint: endpoint.name, signature: hit.signature }, 'A listed transaction is not shown')
    }
    // Another node may not list it: then there is nothing to wait for.
    node.endpoint.rest()
    return null
  }
}
