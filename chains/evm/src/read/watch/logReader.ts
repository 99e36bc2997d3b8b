import { eventTopics } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { type RpcCall, type RpcOutcome, RpcResponseError } from '@causeway/core/chain-kit'
import { addressTopic } from '../../deposit/recognise.js'
import { isRangeError } from '../../rpc/rpcErrors.js'
import { quantity, type RpcLog } from '../../rpc/wire.js'

/** The contracts whose events are read. */
export interface Watched {
  readonly depository: string
  /** Null: the chain has no swaps. */
  readonly swap: { readonly router: string } | null
  /** Lower-case addresses of the configured tokens. */
  readonly tokens: readonly string[]
}

/** Logs that are asked for: of these addresses, or of any, and by their topics. */
export interface LogFilter {
  readonly address?: string | readonly string[]
  readonly topics: readonly (string | readonly string[] | null)[]
}

/**
 * Filters that find every deposit and direct swap: the contracts' own events, and transfers to the depository of any token, or of the
 * configured ones only.
 */
export const logFilters = (
  { depository, swap, tokens }: Watched,
  { byToken = false }: { readonly byToken?: boolean } = {},
): readonly [LogFilter, ...LogFilter[]] => {
  const deposits = [eventTopics.relayNativeDeposit, eventTopics.relayErc20Deposit]
  const own =
    swap === null
      ? { address: depository, topics: [deposits] }
      : { address: [depository, swap.router], topics: [[...deposits, eventTopics.swapExecuted]] }
  const topics = [eventTopics.transfer, null, addressTopic(depository)]
  if (!byToken) return [own, { topics }]
  return tokens.length === 0 ? [own] : [own, { address: tokens, topics }]
}

export const logCalls = (filters: readonly LogFilter[], from: bigint, to: bigint): RpcCall[] =>
  filters.map((filter) => ({
    method: 'eth_getLogs',
    params: [{ ...filter, fromBlock: quantity(from), toBlock: quantity(to) }],
  }))

/** A transaction that some log points to, and the block the log said it is in. */
export interface Hit {
  readonly txId: Hex
  readonly blockHash: string
  readonly number: bigint
  /** How many of its logs do: what is behind it is at least as long. */
  readonly logs: number
}

/** Transactions behind the logs of both filters; null when the node refused the range. Throws on other errors. */
export const readHits = (outcomes: readonly RpcOutcome[]): readonly Hit[] | null => {
  const logs: RpcLog[][] = []
  for (const outcome of outcomes) {
    if (!outcome.ok) {
      if (isRangeError(outcome.error)) return null
      throw new RpcResponseError('eth_getLogs', outcome.error)
    }
    logs.push(outcome.result as RpcLog[])
  }
  return hitsOf(logs.flat())
}

/** Transactions behind logs, in the order of blocks. */
export const hitsOf = (logs: readonly RpcLog[]): readonly Hit[] => {
  const hits = new Map<string, Hit>()
  for (const [first, count] of runsOf(logs)) {
    const { transactionHash: txId, blockNumber } = first
    const blockHash = first.blockHash.toLowerCase()
    const key = `${txId}:${blockHash}`
    hits.set(key, { txId, blockHash, number: BigInt(blockNumber), logs: (hits.get(key)?.logs ?? 0) + count })
  }
  return [...hits.values()].sort((left, right) =>
    left.number < right.number ? -1 : left.number > right.number ? 1 : 0,
  )
}

/** The first of the logs of one transaction that stand together, with their number: one transaction may have ten thousand. */
const runsOf = (logs: readonly RpcLog[]): [RpcLog, number][] => {
  const runs: [RpcLog, number][] = []
  for (const log of logs) {
    if (log.removed === true) continue
    const run = runs.at(-1)
    const follows = run?.[0].transactionHash === log.transactionHash && run[0].blockHash === log.blockHash
    if (run !== undefined && follows) run[1] += 1
    else runs.push([log, 1])
  }
  return runs
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

  grow(): void {
    this.#size = this.#size * 2n < this.limit ? this.#size * 2n : this.limit
  }
}
