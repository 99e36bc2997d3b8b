import { ServiceError, smaller } from '@causeway/core'
import type { ChainDeps } from '@causeway/core/chain'
import {
  type JsonRpcClient,
  type JsonRpcEndpoint,
  RpcResponseError,
  resultOf,
  SecondReader,
} from '@causeway/core/chain-kit'
import type { Ask } from '../../deposit/readDeposits.js'
import { headOf } from '../../rpc/headSource.js'
import type { RpcBlock } from '../../rpc/wire.js'
import { readBlockInParts } from './blocks/blockParts.js'
import { RECEIPT_BLOCKS, ReceiptRanges } from './blocks/receiptRanges.js'
import { LogAccess } from './logAccess.js'
import { type Hit, type LogRange, logCalls, readHits, type Watched } from './logReader.js'

/** Ranges read in one go; the rest waits until new blocks have been read. */
const MAX_RANGES = 8

export interface CrossCheckDeps {
  readonly rpc: JsonRpcClient
  readonly watched: Watched
  /** Its own: another provider may take more or less. */
  readonly range: LogRange
  readonly logger: ChainDeps['logger']
}

/** One node, or whichever answers. */
interface AskedNode {
  readonly ask: Ask
  readonly name: string | undefined
  readonly endpoints: readonly JsonRpcEndpoint[]
}

/** Blocks to read a second time. */
export interface SecondSpan {
  readonly from: bigint
  readonly to: bigint
  /** Last block that was read a second time before. */
  readonly checked: bigint
}

/** Hits of blocks up to one. */
interface Part {
  readonly hits: readonly Hit[]
  readonly to: bigint
}

/** What a second reading of blocks showed. */
export interface SecondReading {
  /** Who showed it: another provider than the one the watcher reads from, where there is one. */
  readonly endpoint: JsonRpcEndpoint | null
  readonly ask: Ask
  readonly hits: readonly Hit[]
  /** Last block of it. */
  readonly to: bigint
}

/** Reads blocks a second time, by turns from every other provider, to find what a node left out of a page (faults.md F107). */
export class CrossCheck {
  readonly #deps: CrossCheckDeps
  readonly #second: SecondReader<JsonRpcEndpoint>
  readonly #access: LogAccess
  readonly #receipts: ReceiptRanges

  constructor(deps: CrossCheckDeps) {
    this.#deps = deps
    this.#access = new LogAccess(deps)
    this.#receipts = new ReceiptRanges(deps.watched)
    const { rpc, logger } = deps
    this.#second = new SecondReader({ pool: rpc, unit: 'Blocks', logger })
  }

  /** Logs of at most these blocks; null when the node asked does not answer, another one is asked next time. */
  read(span: SecondSpan): Promise<SecondReading | null> {
    const { rpc } = this.#deps
    return this.#second.read(async (endpoint) => {
      const ask: Ask = (calls) => (endpoint ?? rpc).batch(calls)
      const endpoints = endpoint === null ? rpc.ordered() : [endpoint]
      return { endpoint, ask, ...(await this.#readLogs(span, { ask, name: endpoint?.name, endpoints })) }
    })
  }

  async #readLogs({ from: first, to: number, checked }: SecondSpan, node: AskedNode): Promise<Part> {
    const last = await this.#reach(number, node)
    const hits: Hit[] = []
    // Receipts are those of whole blocks: what was read by them is not left out.
    let from = this.#isByReceipts(node) && checked >= first ? checked + 1n : first
    for (let ranges = 0; from <= last && ranges < MAX_RANGES; ranges += 1) {
      const part = await this.#readPart(from, last, node)
      if (part === null) continue
      hits.push(...part.hits)
      from = part.to + 1n
    }
    return { hits, to: from - 1n }
  }

  /** The next blocks; null when fewer must be asked for. */
  async #readPart(from: bigint, last: bigint, node: AskedNode): Promise<Part | null> {
    const { range, watched } = this.#deps
    const byReceipts = this.#isByReceipts(node) ? await this.#readReceipts(from, last, node) : null
    if (byReceipts !== null) return byReceipts
    const to = smaller(from + range.size - 1n, last)
    const found = await this.#hits(from, to, node)
    if (found === 'narrow') return this.#readPart(from, last, node)
    if (found === null && range.shrink(to - from + 1n)) return null
    const hits = found ?? (await readBlockInParts(from, watched, node.ask))
    range.grow()
    return { hits, to }
  }

  #isByReceipts({ name, endpoints }: AskedNode): boolean {
    return this.#access.isNarrow(name) && this.#receipts.isServed(endpoints)
  }

  /** Null when the node has no receipts of blocks; a block whose receipts fail is read in parts. */
  async #readReceipts(from: bigint, last: bigint, { ask, endpoints }: AskedNode): Promise<Part | null> {
    const to = smaller(from + RECEIPT_BLOCKS - 1n, last)
    try {
      const found = await this.#receipts.read(from, to, endpoints)
      return found === null ? null : { hits: found.hits, to }
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      return { hits: await readBlockInParts(from, this.#deps.watched, ask), to: from }
    }
  }

  /**
   * Null when the node refuses so many; a single block that it does not answer for is read in parts too. `narrow` when it turned out to
   * want addresses.
   */
  async #hits(from: bigint, to: bigint, { ask, name }: AskedNode): Promise<readonly Hit[] | 'narrow' | null> {
    try {
      return readHits(await ask(logCalls(this.#access.filters(name), from, to)))
    } catch (error) {
      if (error instanceof RpcResponseError && this.#access.note(error.error, name)) return 'narrow'
      if (!ServiceError.is(error) || this.#deps.range.shrink(to - from + 1n)) throw error
      return null
    }
  }

  /** The node may be behind: about blocks it has not, its silence says nothing. */
  async #reach(number: bigint, { ask }: AskedNode): Promise<bigint> {
    const [latest] = await ask([{ method: 'eth_getBlockByNumber', params: ['latest', false] }])
    const { height } = headOf(resultOf<RpcBlock>(latest, 'eth_getBlockByNumber'))
    return height < number ? height : number
  }
}
