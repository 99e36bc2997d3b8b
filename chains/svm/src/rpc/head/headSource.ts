import { ServiceError } from '@causeway/core'
import type { BlockRef, ChainDeps, RpcEndpoint } from '@causeway/core/chain'
import {
  answerOf,
  EndpointSockets,
  HeadFollower,
  type HeadPace,
  type JsonRpcClient,
  type RpcOutcome,
  requireExplained,
  resultOf,
  WakeSignal,
} from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { clockCall, readClock } from '../clock.js'
import {
  epochCall,
  latestBlockhashCall,
  type RpcAccount,
  type RpcContext,
  type RpcEpochInfo,
  type RpcLatestBlockhash,
} from '../wire.js'
import { BlockReader } from './blockReader.js'

/** A message of a subscription to slots; only its arrival counts. */
const readSlot = answerOf(Type.Object({ slot: Type.Integer({ minimum: 0 }) }))

/** Newest confirmed block; `height` is its slot. */
export interface Head extends BlockRef {
  /** Blocks below it, which the validity of a blockhash is counted in. */
  readonly blockHeight: bigint
}

export interface Finalized {
  readonly slot: bigint
  readonly blockHeight: bigint
}

/** A blockhash and the last block height at which a transaction that names it can be included. */
export interface RecentBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: number
}

/** Block heights for which a blockhash is valid. */
const BLOCKHASH_BLOCKS = 150n

/** How old a blockhash that a transaction is built with may be. */
const BLOCKHASH_MS = 2000

export interface HeadSourceDeps {
  readonly rpc: JsonRpcClient
  readonly endpoints: readonly RpcEndpoint[]
  readonly pollIntervalMs: number
  readonly maxHeadAgeSeconds: number
  readonly pace: HeadPace
  readonly logger: ChainDeps['logger']
}

/** What one request tells. */
interface Round extends Head {
  readonly finalized: Finalized
  readonly recent: RecentBlockhash
  readonly readAt: number
}

/** Follows the head of the chain in one request per reading: websockets say when to read, a shared poller otherwise. */
export class HeadSource {
  /** Whoever watches deposits rests on it; a new head wakes, a transaction of a watched address is a hint. */
  readonly wakeSignal = new WakeSignal()
  readonly #rpc: JsonRpcClient
  readonly #blocks: BlockReader
  readonly #pace: HeadPace
  readonly #follower: HeadFollower<Round>
  readonly #sockets: EndpointSockets

  constructor(deps: HeadSourceDeps) {
    this.#rpc = deps.rpc
    this.#blocks = new BlockReader(deps.rpc)
    this.#pace = deps.pace
    this.#follower = new HeadFollower({ ...deps, read: () => this.#read(), merge, isLive: () => this.#sockets.isLive })
    // Slots come faster than they are worth a reading of deposits: they are no hints.
    this.#follower.onHead(() => this.wakeSignal.wake())
    const onMessage = (topic: number, result: unknown) => {
      if (topic > 0) return this.wake()
      readSlot(result)
      this.#follower.announce()
    }
    this.#sockets = new EndpointSockets({ ...deps, pool: deps.rpc, onMessage })
  }

  /** Newest head seen, without a call. */
  get latest(): Head | null {
    return this.#follower.latest
  }

  /** Throws ServiceError RPC_HTTP_ERROR for a slot that the chain's pace does not explain: a node invented it. */
  requireExplained(slot: bigint): void {
    requireExplained(slot, this.#pace)
  }

  /** How often something said that a watched address moved; it grows with each hint. */
  get hints(): number {
    return this.wakeSignal.hints
  }

  /** `mentions`: addresses whose transactions are hints, where there is a websocket. */
  start(mentions: readonly string[] = []): void {
    const logs = mentions.map((address) => ({
      method: 'logsSubscribe',
      params: [{ mentions: [address] }, { commitment: 'confirmed' }],
    }))
    this.#sockets.open([{ method: 'slotSubscribe', params: [] }, ...logs])
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

  /** Newest finalized slot with its block height, as fresh as the tip. */
  async finalized(): Promise<Finalized> {
    if (!this.#follower.isFresh) await this.#follower.refresh()
    return this.#known().finalized
  }

  /** A confirmed blockhash, at most two seconds old. */
  async blockhash(): Promise<RecentBlockhash> {
    const readAt = this.#follower.latest?.readAt ?? Number.NEGATIVE_INFINITY
    if (performance.now() - readAt > BLOCKHASH_MS) await this.#follower.refresh()
    return this.recent
  }

  /** The blockhash that came with the newest head, from memory. @throws ServiceError before there is one */
  get recent(): RecentBlockhash {
    return this.#known().recent
  }

  /** Blocks of slots, in one request; a slot without a block is absent. */
  blockOf(slots: readonly bigint[]): Promise<ReadonlyMap<bigint, BlockRef>> {
    return this.#blocks.read(slots, this.#follower.latest?.finalized.slot ?? -1n)
  }

  /** Asks a node; one request however many callers wait. */
  refresh(): Promise<Head> {
    return this.#follower.refresh()
  }

  onHead(listener: (head: Head) => void, signal: AbortSignal): void {
    this.#follower.onHead(listener, signal)
  }

  /** Something may have happened: whoever watches deposits reads now. */
  wake(): void {
    this.wakeSignal.hint()
  }

  #known(): Round {
    const { latest } = this.#follower
    if (latest === null) throw new ServiceError('RPC_HTTP_ERROR', 'The head of this chain is not known yet.')
    return latest
  }

  async #read(): Promise<Round> {
    const [latest, clock, epoch] = await this.#rpc.batch([
      latestBlockhashCall('confirmed'),
      clockCall('confirmed'),
      epochCall('finalized'),
    ])
    const { context, value } = resultOf<RpcContext<RpcLatestBlockhash>>(latest, 'getLatestBlockhash')
    const { absoluteSlot, blockHeight } = resultOf<RpcEpochInfo>(epoch, 'getEpochInfo')
    return {
      height: BigInt(context.slot),
      hash: value.blockhash,
      time: await this.#timeOf(context.slot, clock),
      blockHeight: BigInt(value.lastValidBlockHeight) - BLOCKHASH_BLOCKS,
      finalized: { slot: BigInt(absoluteSlot), blockHeight: BigInt(blockHeight) },
      recent: value,
      readAt: performance.now(),
    }
  }

  async #timeOf(slot: number, clock: RpcOutcome | undefined): Promise<number> {
    const time = clock?.ok ? readClock(clock.result as RpcContext<RpcAccount | null>) : null
    return time ?? (await this.#rpc.call<number | null>('getBlockTime', [slot])) ?? 0
  }
}

/** What is final stays so, though a node is behind with it. */
const merge = (round: Round, known: Round | null): Round =>
  known !== null && known.finalized.slot > round.finalized.slot ? { ...round, finalized: known.finalized } : round
