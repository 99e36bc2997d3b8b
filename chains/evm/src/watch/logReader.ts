import { eventTopics } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { type RpcCall, type RpcOutcome, RpcResponseError, ServiceError } from '@causeway/core'
import { isRangeError } from '../rpc/rpcErrors.js'
import { quantity, type RpcLog } from '../rpc/wire.js'
import { addressTopic } from './recognise.js'

/** The contracts whose events are read. */
export interface Watched {
  readonly depository: string
  /** Null: the chain has no swaps. */
  readonly swap: { readonly router: string } | null
}

/** Filters that find every deposit and direct swap: the contracts' own events, and transfers of any token to the depository. */
export const logFilters = ({ depository, swap }: Watched) => {
  const deposits = [eventTopics.relayNativeDeposit, eventTopics.relayErc20Deposit]
  const own =
    swap === null
      ? { address: depository, topics: [deposits] }
      : { address: [depository, swap.router], topics: [[...deposits, eventTopics.swapExecuted]] }
  return [own, { topics: [eventTopics.transfer, null, addressTopic(depository)] }] as const
}

export const logCalls = (watched: Watched, from: bigint, to: bigint): RpcCall[] =>
  logFilters(watched).map((filter) => ({
    method: 'eth_getLogs',
    params: [{ ...filter, fromBlock: quantity(from), toBlock: quantity(to) }],
  }))

/** A transaction that some log points to, and the block the log said it is in. */
export interface Hit {
  readonly txId: Hex
  readonly blockHash: string
  readonly number: bigint
}

/** Transactions behind the logs of both filters; null when the node refused the range. Throws on other errors. */
export const readHits = (outcomes: readonly RpcOutcome[]): readonly Hit[] | null => {
  const hits = new Map<string, Hit>()
  for (const outcome of outcomes) {
    if (!outcome.ok) {
      if (isRangeError(outcome.error)) return null
      throw new RpcResponseError('eth_getLogs', outcome.error)
    }
    for (const log of outcome.result as readonly RpcLog[]) {
      if (log.removed === true) continue
      const hit = { txId: log.transactionHash, blockHash: log.blockHash.toLowerCase(), number: BigInt(log.blockNumber) }
      hits.set(`${hit.txId}:${hit.blockHash}`, hit)
    }
  }
  return [...hits.values()].sort((left, right) =>
    left.number < right.number ? -1 : left.number > right.number ? 1 : 0,
  )
}

/** Size of the next eth_getLogs: halved when refused, doubled after each success (F107). */
export class LogRange {
  #size: bigint

  constructor(readonly limit: bigint) {
    this.#size = limit
  }

  get size(): bigint {
    return this.#size
  }

  /** Returns false when the smallest range was refused too. */
  shrink(used: bigint): boolean {
    if (used <= 1n) return false
    this.#size = used / 2n
    return true
  }

  /** Throws ServiceError when the smallest range was refused too. */
  shrinkOrFail(used: bigint): void {
    if (this.shrink(used)) return
    throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain refuses to show the events of a single block.')
  }

  grow(): void {
    this.#size = this.#size * 2n < this.limit ? this.#size * 2n : this.limit
  }
}
