import type { Arrival, ChainDeps, DirectCandidate, Live } from '@causeway/core/chain'
import { askInOrder, type JsonRpcClient, type RpcCall, type RpcOutcome } from '@causeway/core/chain-kit'
import { askUntilShown } from '../../../deposit/readDeposits.js'
import {
  arrivalCalls,
  logsInParts,
  logsOf,
  nativeArrivals,
  tokenArrivals,
} from '../../../depositAddress/readArrivals.js'
import { directCandidates, WATCHED_KINDS } from '../../../direct/directCandidates.js'
import { headOf } from '../../../rpc/headSource.js'
import type { RpcBlock, RpcLog } from '../../../rpc/wire.js'

/** Blocks whose transfers are read again with the next ones: a node may show logs late (faults.md F107). */
const OVERLAP = 2

export interface WholeReaderDeps {
  readonly rpc: JsonRpcClient
  /** Lower-case addresses of the configured tokens. */
  readonly tokens: readonly string[]
  readonly live: Live
  readonly logger: ChainDeps['logger']
}

/** What whole blocks hold beside deposits. */
export interface WholeFindings {
  readonly arrivals: readonly Arrival[]
  readonly candidates: readonly DirectCandidate[]
}

export const NOTHING_WHOLE: WholeFindings = { arrivals: [], candidates: [] }

/**
 * What comes to live addresses: native payments from whole blocks, tokens from their Transfer logs, both compared with the set in memory. And
 * sends, wraps and unwraps that name a request, which emit no event of this service, and swaps, which emit none where they revert. The cost
 * depends neither on the number of addresses nor on that of quotes. What it asks for goes out with what the watcher asks for.
 */
export class WholeReader {
  readonly #deps: WholeReaderDeps
  /** The last blocks that were read, and the transfers that were told of them. */
  #recent: readonly RpcBlock[] = []
  #delivered: ReadonlySet<string> = new Set()
  /** The transfers of the next block are read in parts: all at once nobody answered for them. */
  #inParts = false

  constructor(deps: WholeReaderDeps) {
    this.#deps = deps
  }

  /** What is live that only whole blocks show: addresses, whose transfers are asked for besides, or quotes alone. */
  get needs(): 'addresses' | 'quotes' | 'nothing' {
    const { live } = this.#deps
    return live.size > 0 ? 'addresses' : live.awaits(WATCHED_KINDS) ? 'quotes' : 'nothing'
  }

  /** Blocks from one to another above `parent`, and their transfers. */
  calls(from: bigint, to: bigint, parent: string): readonly RpcCall[] {
    if (this.#recent.at(-1)?.hash.toLowerCase() !== parent) this.forget()
    return arrivalCalls(this.#asksForLogs ? this.#deps.tokens : [], from, to, this.#recent.length)
  }

  get #asksForLogs(): boolean {
    const { live, tokens } = this.#deps
    return live.size > 0 && tokens.length > 0 && !this.#inParts
  }

  /**
   * What blocks hold, with the last of the answers to `calls`. `less`: fewer blocks are to be asked for; null: the node contradicts itself.
   */
  async read(blocks: readonly RpcBlock[], outcome: RpcOutcome | undefined): Promise<WholeFindings | 'less' | null> {
    const { live } = this.#deps
    const logs = await this.#logs(blocks, outcome)
    if (logs === 'less') return 'less'
    const arrivals = live.size === 0 ? [] : await this.#arrivals(blocks, logs)
    if (arrivals === null) return null
    // Read in parts, the blocks before were not read again: nothing is known of them with the next ones.
    this.#recent = (this.#inParts ? blocks : [...this.#recent, ...blocks]).slice(-OVERLAP)
    this.#inParts = false
    return { arrivals, candidates: live.awaits(WATCHED_KINDS) ? blocks.flatMap(directCandidates) : [] }
  }

  /** A single block was not answered for. */
  askForParts(): void {
    this.#inParts = true
  }

  /** Other blocks follow than before: those that come back are told again. */
  forget(): void {
    this.#recent = []
    this.#delivered = new Set()
  }

  async #logs(blocks: readonly RpcBlock[], outcome: RpcOutcome | undefined): Promise<readonly RpcLog[] | 'less'> {
    const { live, rpc, tokens, logger } = this.#deps
    if (live.size === 0 || tokens.length === 0) return []
    const logs = this.#asksForLogs ? logsOf(outcome) : null
    if (logs !== null) return logs
    const [only, ...more] = blocks
    if (only === undefined || more.length > 0) return 'less'
    logger.warn({ block: only.number }, 'The transfers of a block are refused in one answer; they are read in parts')
    this.#inParts = true
    return askInOrder(rpc, (node) => logsInParts(only, tokens, (calls) => node.batch(calls)))
  }

  async #arrivals(blocks: readonly RpcBlock[], logs: readonly RpcLog[]): Promise<readonly Arrival[] | null> {
    const { live, rpc } = this.#deps
    const heads = new Map([...this.#recent, ...blocks].map((block) => [BigInt(block.number), headOf(block)]))
    const shown = tokenArrivals(logs, heads, live)
    if (shown === null) return null
    const ofNative = await askUntilShown(rpc, (ask) => nativeArrivals(blocks, live, ask))
    if (ofNative === null) return null
    const ofTokens = shown.filter((arrival) => !this.#delivered.has(keyOf(arrival)))
    this.#delivered = new Set(shown.map(keyOf))
    return [...ofNative, ...ofTokens].sort((left, right) => Number(heightOf(left) - heightOf(right)))
  }
}

const keyOf = ({ tx, to, money, position, block }: Arrival): string =>
  `${tx.id} ${to.address} ${money.currency} ${position} ${block?.hash}`

const heightOf = ({ block }: Arrival): bigint => block?.height ?? 0n
