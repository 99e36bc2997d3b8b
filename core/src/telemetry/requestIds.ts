import { randomBytes } from 'node:crypto'
import type { Hex } from '../money/hex.js'

/** Ids of a request's trace: every process derives the same ones, so nothing has to be stored or passed on. */
export interface RequestTraceIds {
  /** The first 16 bytes of the request id. */
  readonly traceId: string
  /** The next 8: id of the root span, parent of every other. */
  readonly spanId: string
}

export const requestTraceIds = (requestId: Hex): RequestTraceIds => ({
  traceId: requestId.slice(2, 34).toLowerCase(),
  spanId: requestId.slice(34, 50).toLowerCase(),
})

/** The id generator of the tracing library: random ids, but for a root span that is to have its request's. */
export class RequestIdGenerator {
  #next: RequestTraceIds | null = null

  generateTraceId = (): string => this.#next?.traceId ?? randomBytes(16).toString('hex')
  generateSpanId = (): string => this.#next?.spanId ?? randomBytes(8).toString('hex')

  /** Runs `start`, which starts one span at once, so that it gets these ids. */
  startWith<Span>(ids: RequestTraceIds, start: () => Span): Span {
    this.#next = ids
    try {
      return start()
    } finally {
      this.#next = null
    }
  }
}
