import { type ChainDeps, type JsonRpcClient, type JsonRpcEndpoint, resultOf, ServiceError } from '@causeway/core'
import { headOf } from '../head/headSource.js'
import type { RpcBlock } from '../rpc/wire.js'
import { type Hit, type LogRange, logCalls, readHits, type Watched } from './logReader.js'
import type { Ask } from './readDeposits.js'

/** Ranges read in one go; the rest waits until new blocks have been read. */
const MAX_RANGES = 8

export interface CrossCheckDeps {
  readonly rpc: JsonRpcClient
  readonly watched: Watched
  readonly range: LogRange
  readonly logger: ChainDeps['logger']
}

/** What another look at blocks showed. */
export interface SecondLook {
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
  #turn = 0

  constructor(deps: CrossCheckDeps) {
    this.#deps = deps
  }

  /** Logs from `from` to at most `number`; null when the node asked does not answer, another one is asked next time. */
  async look(from: bigint, number: bigint): Promise<SecondLook | null> {
    const endpoint = this.#other()
    const ask: Ask = (calls) => (endpoint === null ? this.#deps.rpc.batch(calls) : endpoint.batch(calls))
    try {
      return { endpoint, ask, ...(await this.#read(from, number, ask)) }
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      this.#deps.logger.warn({ endpoint: endpoint?.name, err: error }, 'Blocks could not be read a second time')
      return null
    }
  }

  #other(): JsonRpcEndpoint | null {
    const { rpc } = this.#deps
    const [reading] = rpc.ordered()
    const others = rpc.providers.filter(({ provider }) => provider !== reading?.provider)
    this.#turn += 1
    return others[this.#turn % others.length] ?? null
  }

  async #read(
    first: bigint,
    number: bigint,
    ask: Ask,
  ): Promise<{ readonly hits: readonly Hit[]; readonly to: bigint }> {
    const { range, watched } = this.#deps
    const last = await this.#reach(number, ask)
    const hits: Hit[] = []
    let from = first
    for (let ranges = 0; from <= last && ranges < MAX_RANGES; ranges += 1) {
      const reach = from + range.size - 1n
      const to = reach < last ? reach : last
      const found = readHits(await ask(logCalls(watched, from, to)))
      if (found === null) {
        range.shrinkOrFail(to - from + 1n)
        continue
      }
      hits.push(...found)
      from = to + 1n
    }
    return { hits, to: from - 1n }
  }

  /** The node may be behind: about blocks it has not, its silence says nothing. */
  async #reach(number: bigint, ask: Ask): Promise<bigint> {
    const [latest] = await ask([{ method: 'eth_getBlockByNumber', params: ['latest', false] }])
    const { height } = headOf(resultOf<RpcBlock>(latest, 'eth_getBlockByNumber'))
    return height < number ? height : number
  }
}
