import { ServiceError } from '@causeway/core'
import { isMissingMethod, type JsonRpcEndpoint, RpcResponseError } from '@causeway/core/chain-kit'
import type { Ask } from '../../../deposit/readDeposits.js'
import { type Hit, hitsOf, type Watched } from '../logReader.js'
import { receiptLogs } from './blockParts.js'

/** Most blocks whose receipts are asked for at once. */
export const RECEIPT_BLOCKS = 20n
/** How long an endpoint without the method is not asked, and one that failed to show a block is asked last, milliseconds. */
const REST_MS = { lacking: 60 * 60_000, failing: 60_000 } as const

/** Hits of blocks, and the node that showed them. */
export interface ReceiptHits {
  readonly hits: readonly Hit[]
  readonly ask: Ask
  /** Hash of the last of these blocks. */
  readonly lastHash: string
}

/**
 * Reads whole blocks by `eth_getBlockReceipts`, for nodes that show logs by address only: deposits of every token are found that way
 * (faults.md F165). Endpoints without the method are remembered.
 */
export class ReceiptRanges {
  readonly #watched: Watched
  readonly #lackingUntil = new Map<string, number>()
  readonly #failingUntil = new Map<string, number>()
  /** Blocks asked for at once: one more after each success, half after a failure. */
  #atOnce = 1n

  constructor(watched: Watched) {
    this.#watched = watched
  }

  /** Whether one of these endpoints may serve the method. */
  isServed(endpoints: readonly JsonRpcEndpoint[]): boolean {
    return endpoints.some(({ name }) => isOver(this.#lackingUntil.get(name)))
  }

  /** Whether one of them did not fail lately either. */
  isQuick(endpoints: readonly JsonRpcEndpoint[]): boolean {
    return this.#quick(endpoints).length > 0
  }

  /**
   * Hits of the blocks from `from` to `to`, of the first endpoint that shows them; null when each of them lacks the method. Throws
   * ServiceError when those that have it fail.
   */
  async read(from: bigint, to: bigint, endpoints: readonly JsonRpcEndpoint[]): Promise<ReceiptHits | null> {
    const quick = this.#quick(endpoints)
    let failure: unknown = null
    for (const endpoint of quick.length > 0 ? quick : endpoints) {
      const ask: Ask = (calls) => endpoint.batch(calls)
      try {
        return { ...(await this.#readAt(from, to, ask)), ask }
      } catch (error) {
        if (!ServiceError.is(error)) throw error
        if (this.#note(endpoint, error) === 'failing') failure = error
      }
    }
    if (failure !== null) throw failure
    return null
  }

  async #readAt(from: bigint, to: bigint, ask: Ask): Promise<Omit<ReceiptHits, 'ask'>> {
    const hits: Hit[] = []
    let lastHash = ''
    for (let at = from; at <= to; ) {
      const left = to - at + 1n
      const count = this.#atOnce < left ? this.#atOnce : left
      try {
        const { logs, last } = await receiptLogs(at, count, this.#watched, ask)
        hits.push(...hitsOf(logs))
        lastHash = last.hash.toLowerCase()
        at += count
        if (this.#atOnce < RECEIPT_BLOCKS) this.#atOnce += 1n
      } catch (error) {
        if (!ServiceError.is(error) || isLacking(error) || count === 1n) throw error
        this.#atOnce = count / 2n
      }
    }
    return { hits, lastHash }
  }

  #note({ name }: JsonRpcEndpoint, error: Error): keyof typeof REST_MS {
    const state = isLacking(error) ? 'lacking' : 'failing'
    const until = state === 'lacking' ? this.#lackingUntil : this.#failingUntil
    until.set(name, performance.now() + REST_MS[state])
    return state
  }

  #quick(endpoints: readonly JsonRpcEndpoint[]): readonly JsonRpcEndpoint[] {
    return endpoints.filter(({ name }) =>
      [this.#lackingUntil, this.#failingUntil].every((until) => isOver(until.get(name))),
    )
  }
}

const isOver = (until = 0): boolean => performance.now() >= until

const isLacking = (error: unknown): boolean => error instanceof RpcResponseError && isMissingMethod(error.error)
