import { ServiceError } from '@causeway/core'
import type { ChainDeps } from '@causeway/core/chain'
import {
  type JsonRpcClient,
  type JsonRpcEndpoint,
  RpcResponseError,
  resultOf,
  SecondReader,
} from '@causeway/core/chain-kit'
import { headOf } from '../head/headSource.js'
import type { RpcBlock } from '../rpc/wire.js'
import { readBlockInParts } from './blockParts.js'
import { LogAccess } from './logAccess.js'
import { type Hit, type LogRange, logCalls, readHits, type Watched } from './logReader.js'
import type { Ask } from './readDeposits.js'

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

  constructor(deps: CrossCheckDeps) {
    this.#deps = deps
    this.#access = new LogAccess(deps)
    const { rpc, logger } = deps
    this.#second = new SecondReader({ pool: rpc, unit: 'Blocks', logger })
  }

  /** Logs from `from` to at most `number`; null when the node asked does not answer, another one is asked next time. */
  read(from: bigint, number: bigint): Promise<SecondReading | null> {
    return this.#second.read(async (endpoint) => {
      const ask: Ask = (calls) => (endpoint ?? this.#deps.rpc).batch(calls)
      return { endpoint, ask, ...(await this.#readLogs(from, number, { ask, name: endpoint?.name })) }
    })
  }

  async #readLogs(
    first: bigint,
    number: bigint,
    node: AskedNode,
  ): Promise<{ readonly hits: readonly Hit[]; readonly to: bigint }> {
    const { range, watched } = this.#deps
    const last = await this.#reach(number, node)
    const hits: Hit[] = []
    let from = first
    for (let ranges = 0; from <= last && ranges < MAX_RANGES; ranges += 1) {
      const reach = from + range.size - 1n
      const to = reach < last ? reach : last
      const found = await this.#hits(from, to, node)
      if (found === null && range.shrink(to - from + 1n)) continue
      hits.push(...(found ?? (await readBlockInParts(from, watched, node.ask))))
      range.grow()
      from = to + 1n
    }
    return { hits, to: from - 1n }
  }

  /** Null when the node refuses so many; a single block that it does not answer for is read in parts too. */
  async #hits(from: bigint, to: bigint, { ask, name }: AskedNode): Promise<readonly Hit[] | null> {
    try {
      return readHits(await ask(logCalls(this.#access.filters(name), from, to)))
    } catch (error) {
      if (error instanceof RpcResponseError && this.#access.note(error.error, name))
        return this.#hits(from, to, { ask, name })
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
