import { RecentMap } from '@causeway/core'
import type { BlockRef, ChainDeps, RpcEndpoint } from '@causeway/core/chain'
import { EndpointSockets, HeadFollower, type HeadPace, type JsonRpcClient, WakeSignal } from '@causeway/core/chain-kit'
import { readHeader, readPushedLog } from './answers.js'
import type { RpcBlock } from './wire.js'

/** Newest block known, with what fees are computed from. */
export interface Head extends BlockRef {
  /** Null on chains without EIP-1559. */
  readonly baseFee: bigint | null
}

/** Blocks seen lately that are remembered. */
const MAX_RECENT = 512

export interface HeadSourceDeps {
  readonly rpc: JsonRpcClient
  readonly endpoints: readonly RpcEndpoint[]
  readonly pollIntervalMs: number
  readonly maxHeadAgeSeconds: number
  readonly pace: HeadPace
  /** Log filters whose hits are hints, where there is a websocket. */
  readonly logFilters: readonly object[]
  readonly logger: ChainDeps['logger']
}

export const headOf = (block: Pick<RpcBlock, 'number' | 'hash' | 'timestamp' | 'baseFeePerGas'>): Head => ({
  height: BigInt(block.number),
  hash: block.hash.toLowerCase(),
  time: Number(block.timestamp),
  baseFee: block.baseFeePerGas === undefined ? null : BigInt(block.baseFeePerGas),
})

/** Follows the head of the chain: websockets where there are some, one shared poller otherwise. */
export class HeadSource {
  /** Whoever watches deposits rests on it: each new head is a hint. */
  readonly wakeSignal = new WakeSignal()
  readonly #logFilters: readonly object[]
  readonly #recent = new RecentMap<string, Head>(MAX_RECENT)
  readonly #follower: HeadFollower<Head>
  readonly #sockets: EndpointSockets

  constructor(deps: HeadSourceDeps) {
    this.#logFilters = deps.logFilters
    const read = async () => headOf(await deps.rpc.call<RpcBlock>('eth_getBlockByNumber', ['latest', false]))
    this.#follower = new HeadFollower({ ...deps, read, isLive: () => this.#sockets.isLive })
    this.#follower.onHead((head) => {
      this.#recent.set(head.hash, head)
      this.wake()
    })
    const onMessage = (topic: number, result: unknown) => {
      if (topic === 0) this.#follower.push(headOf(readHeader(result)))
      else if (this.#isNew(readPushedLog(result))) this.wake()
    }
    this.#sockets = new EndpointSockets({ ...deps, pool: deps.rpc, onMessage })
  }

  /** Newest head seen, without a call. */
  get latest(): Head | null {
    return this.#follower.latest
  }

  start(): void {
    const params = [['newHeads'], ...this.#logFilters.map((filter) => ['logs', filter])]
    this.#sockets.open(params.map((topic) => ({ method: 'eth_subscribe', params: topic })))
    this.#follower.start()
  }

  stop(): void {
    this.#follower.stop()
    this.#sockets.close()
    this.wakeSignal.wake()
  }

  /** The tip, from memory while it is fresh. Throws SERVICE_UNAVAILABLE when the chain stands still for too long. */
  tip(): Promise<Head> {
    return this.#follower.tip()
  }

  /** Asks a node; one request however many callers wait. */
  refresh(): Promise<Head> {
    return this.#follower.refresh()
  }

  onHead(listener: (head: Head) => void, signal: AbortSignal): void {
    this.#follower.onHead(listener, signal)
  }

  /** A block seen lately, by hash. */
  recent(hash: string): Head | undefined {
    return this.#recent.get(hash.toLowerCase())
  }

  remember(block: RpcBlock): Head {
    const head = headOf(block)
    this.#recent.set(head.hash, head)
    return head
  }

  /** Something may have happened: whoever watches deposits reads now. */
  wake(): void {
    this.wakeSignal.hint()
  }

  #isNew({ removed, blockNumber }: ReturnType<typeof readPushedLog>): boolean {
    return removed === true || (blockNumber !== null && BigInt(blockNumber) >= (this.latest?.height ?? 0n))
  }
}
