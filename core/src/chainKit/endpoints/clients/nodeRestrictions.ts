import type { JsonRpcError } from './jsonRpcErrors.js'
import { isMissingMethod } from './jsonRpcErrors.js'
import type { RpcCall } from './rpcCall.js'

/** How long a restriction is remembered, milliseconds: the plan of an endpoint may change. */
const REMEMBERED_MS = 60 * 60_000

/** A kind of call that some nodes do not take. */
export interface RestrictionKind {
  /** Names it to operators: `refuses eth_getLogs without an address`. */
  readonly says: string
  /** Cost for the service, and the remedy. */
  readonly cost: string
  /** Whether a call is of this kind. */
  concerns(call: RpcCall): boolean
  /** Whether an error answers such a call in this way. */
  shows(error: JsonRpcError): boolean
}

/** A restriction of a node, for operators. */
export type NodeRestriction = Pick<RestrictionKind, 'says' | 'cost'>

/** Restrictions of one node, remembered for an hour, so that other nodes are asked first and batches have a size that it takes. */
export class NodeRestrictions {
  readonly #kinds: readonly RestrictionKind[]
  readonly #found = new Map<string, { readonly kind: RestrictionKind; readonly until: number }>()
  #mostCalls = Number.POSITIVE_INFINITY
  #mostCallsUntil = 0

  constructor(kinds: readonly RestrictionKind[] = []) {
    this.#kinds = kinds
  }

  /** How many calls one request may have. */
  get mostCalls(): number {
    return performance.now() < this.#mostCallsUntil ? this.#mostCalls : Number.POSITIVE_INFINITY
  }

  /** The restrictions that are remembered now. */
  list(): readonly NodeRestriction[] {
    const { mostCalls } = this
    const batches = Number.isFinite(mostCalls) ? [batchRestriction(mostCalls)] : []
    return [...batches, ...this.#current().map(({ says, cost }) => ({ says, cost }))]
  }

  /** Whether the node is known to refuse such a call. */
  concern(call: RpcCall): boolean {
    return this.#found.size > 0 && this.#current().some((kind) => kind.concerns(call))
  }

  /** Remembers what a refusal shows, if anything. */
  note(call: RpcCall, error: JsonRpcError): void {
    const known = this.#kinds.find((kind) => kind.concerns(call) && kind.shows(error))
    const kind = known ?? (isMissingMethod(error) ? missingMethod(call.method) : null)
    if (kind !== null) this.#found.set(kind.says, { kind, until: performance.now() + REMEMBERED_MS })
  }

  /** Remembers how many calls in one request the node takes. */
  noteMostCalls(count: number): void {
    this.#mostCalls = count
    this.#mostCallsUntil = performance.now() + REMEMBERED_MS
  }

  #current(): readonly RestrictionKind[] {
    const now = performance.now()
    for (const [says, { until }] of this.#found) if (until < now) this.#found.delete(says)
    return [...this.#found.values()].map(({ kind }) => kind)
  }
}

const batchRestriction = (count: number): NodeRestriction => ({
  says: count === 1 ? 'takes no batches' : `takes at most ${count} calls a request`,
  cost: 'Each reading takes more requests. Use a plan that allows batches of 100 calls.',
})

const missingMethod = (method: string): RestrictionKind => ({
  says: `does not serve ${method}`,
  cost: 'Other endpoints are asked for it. Configure one that serves it.',
  concerns: (call) => call.method === method,
  shows: isMissingMethod,
})
