import type { ChainDeps } from '@causeway/core/chain'
import type { JsonRpcError } from '@causeway/core/chain-kit'
import { isAddressWanted } from '../../rpc/rpcErrors.js'
import { type LogFilter, logFilters, type Watched } from './logReader.js'

/** How long a node that wants addresses is asked by them, milliseconds: the plan of an endpoint may change. */
const NARROW_MS = 60 * 60_000

/** Whichever node answers. */
const ANY = ''

export interface LogAccessDeps {
  readonly watched: Watched
  readonly logger: ChainDeps['logger']
}

/**
 * How nodes are asked for logs: for transfers of any token, or, where they want addresses, of the configured tokens alone
 * (faults.md F165). Blocks are read by their receipts then where nodes have them (`ReceiptRanges`).
 */
export class LogAccess {
  readonly #deps: LogAccessDeps
  readonly #narrowUntil = new Map<string, number>()

  constructor(deps: LogAccessDeps) {
    this.#deps = deps
  }

  /** Filters for one node, or for whichever answers. */
  filters(node = ANY): readonly LogFilter[] {
    return logFilters(this.#deps.watched, { byToken: this.isNarrow(node) })
  }

  /** Notes why a node refused; returns whether it is worth asking again, with other filters. */
  note(error: JsonRpcError, node = ANY): boolean {
    if (!isAddressWanted(error) || this.isNarrow(node)) return false
    this.#narrowUntil.set(node, performance.now() + NARROW_MS)
    const { logger, watched } = this.#deps
    const told = { ...(node === ANY ? {} : { endpoint: node }), tokens: watched.tokens.length }
    logger.warn(
      told,
      'Logs are shown by address only: blocks are read by their receipts, or transfers by configured token',
    )
    return true
  }

  /** Whether a node, or whichever answers, wants addresses. */
  isNarrow(node = ANY): boolean {
    return performance.now() < (this.#narrowUntil.get(node) ?? 0)
  }
}
