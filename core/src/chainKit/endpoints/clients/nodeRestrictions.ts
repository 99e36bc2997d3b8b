import type { SizedPart } from './calls/callSizes.js'
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

/** Smallest limit in characters that is remembered: what is smaller was refused for another reason. */
const LEAST_SIZE = 500

type Limit = 'calls' | SizedPart

/** Restrictions of one node, remembered for an hour, so that other nodes are asked first and batches have a size that it takes. */
export class NodeRestrictions {
  readonly #kinds: readonly RestrictionKind[]
  readonly #found = new Map<string, { readonly kind: RestrictionKind; readonly until: number }>()
  readonly #limits = new Map<Limit, { readonly most: number; readonly until: number }>()

  constructor(kinds: readonly RestrictionKind[] = []) {
    this.#kinds = kinds
  }

  /** How many calls one request may have. */
  get mostCalls(): number {
    return this.#most('calls')
  }

  /** How many characters a request, or the answer to it, may have. */
  mostOf(part: SizedPart): number {
    return this.#most(part)
  }

  /** The restrictions that are remembered now. */
  list(): readonly NodeRestriction[] {
    const limits = LIMITS.flatMap((limit) => {
      const most = this.#most(limit)
      return Number.isFinite(most) ? [batchRestriction(limit, most)] : []
    })
    return [...limits, ...this.#current().map(({ says, cost }) => ({ says, cost }))]
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
    this.#note('calls', count)
  }

  /** Remembers how many characters of a request or an answer the node takes. */
  noteMostOf(part: SizedPart, size: number): void {
    this.#note(part, Math.max(LEAST_SIZE, size))
  }

  /** An answer of this length came through: a smaller limit was none. */
  noteAnswered(length: number): void {
    const { most, until } = this.#limits.get('answer') ?? { most: length, until: 0 }
    if (length > most) this.#limits.set('answer', { most: length, until })
  }

  #note(limit: Limit, most: number): void {
    this.#limits.set(limit, { most, until: performance.now() + REMEMBERED_MS })
  }

  #most(limit: Limit): number {
    const known = this.#limits.get(limit)
    return known !== undefined && performance.now() < known.until ? known.most : Number.POSITIVE_INFINITY
  }

  #current(): readonly RestrictionKind[] {
    const now = performance.now()
    for (const [says, { until }] of this.#found) if (until < now) this.#found.delete(says)
    return [...this.#found.values()].map(({ kind }) => kind)
  }
}

const LIMITS: readonly Limit[] = ['calls', 'request', 'answer']

const batchRestriction = (limit: Limit, most: number): NodeRestriction => ({
  says: saysOf(limit, most),
  cost: 'Each reading takes more requests. Use a plan that allows batches of 100 calls.',
})

const saysOf = (limit: Limit, most: number): string => {
  if (limit === 'calls') return most === 1 ? 'takes no batches' : `takes at most ${most} calls a request`
  return limit === 'request' ? `takes requests of about ${most} bytes` : `gives answers of about ${most} bytes`
}

const missingMethod = (method: string): RestrictionKind => ({
  says: `does not serve ${method}`,
  cost: 'Other endpoints are asked for it. Configure one that serves it.',
  concerns: (call) => call.method === method,
  shows: isMissingMethod,
})
