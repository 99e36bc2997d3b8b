import {
  type Attributes,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { token } from '../container/tokens.js'
import type { Hex } from '../money/hex.js'
import { type RequestIdGenerator, requestTraceIds } from './requestIds.js'
import type { TracePhase } from './tracePhases.js'
import { traceTime } from './traceTime.js'

/** Names of the spans of a transfer, in their usual order. */
export const SPAN_NAMES = [
  'quote',
  'deposit seen',
  'decide',
  'sign',
  'store',
  'broadcast',
  'included',
  'final',
] as const
export type SpanName = (typeof SPAN_NAMES)[number]

export interface QuoteSpan {
  readonly requestId: Hex
  /** Operation that was asked, from a fixed list; left out where no HTTP call did. */
  readonly route?: string
  /** Of `traceTime`. */
  readonly startedAt: number
  readonly phases: readonly TracePhase[]
  /** Header `traceparent` as received: the caller's trace is linked, never joined. */
  readonly traceparent?: string | undefined
}

/** Makes the spans of requests. One request is one trace over all processes; without a tracer it does nothing. */
export class RequestTracing {
  readonly #tracer: Tracer | null
  readonly #ids: RequestIdGenerator | null

  constructor(deps: { readonly tracer: Tracer; readonly ids: RequestIdGenerator } | null) {
    this.#tracer = deps?.tracer ?? null
    this.#ids = deps?.ids ?? null
  }

  get enabled(): boolean {
    return this.#tracer !== null
  }

  /** The root span, made when the quote is done, with one child for each phase. */
  quoted(quote: QuoteSpan): void {
    const tracer = this.#tracer
    const ids = this.#ids
    if (tracer !== null && ids !== null) quietly(() => this.#quoted(quote, tracer, ids))
  }

  /** A span of what was done for a request since `startedAt`; nothing for a payout without a request. */
  step(requestId: Hex | null, name: SpanName, startedAt: number, attributes: Attributes): void {
    const tracer = this.#tracer
    if (tracer === null || requestId === null) return
    quietly(() => {
      const all = { ...attributes, 'causeway.request_id': requestId }
      end(this.#child(tracer, requestId, name, startedAt, all), traceTime(), false)
    })
  }

  #quoted(
    { requestId, route, startedAt, phases, traceparent }: QuoteSpan,
    tracer: Tracer,
    ids: RequestIdGenerator,
  ): void {
    const link = linkTo(traceparent)
    const root = ids.startWith(requestTraceIds(requestId), () =>
      tracer.startSpan('quote', {
        root: true,
        kind: SpanKind.SERVER,
        startTime: startedAt,
        attributes: { ...(route === undefined ? {} : { 'http.route': route }), 'causeway.request_id': requestId },
        ...(link === null ? {} : { links: [link] }),
      }),
    )
    for (const { name, startedAt: from, endedAt, failed } of phases) {
      end(this.#child(tracer, requestId, name, from, {}), endedAt, failed)
    }
    end(root, traceTime(), false)
  }

  #child(tracer: Tracer, requestId: Hex, name: string, startTime: number, attributes: Attributes): Span {
    const root: SpanContext = { ...requestTraceIds(requestId), traceFlags: TraceFlags.SAMPLED, isRemote: true }
    return tracer.startSpan(name, { startTime, attributes }, trace.setSpanContext(ROOT_CONTEXT, root))
  }
}

export const TRACING = token<RequestTracing>('core/RequestTracing')

/** Traces never disturb what they show. */
const quietly = (work: () => void): void => {
  try {
    work()
  } catch {
    // The span is lost.
  }
}

const end = (span: Span, at: number, failed: boolean): void => {
  // The words of an error may hold anything, so none is kept.
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(at)
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Null for anything that is no `traceparent` of the W3C format. */
const linkTo = (traceparent: string | undefined): Link | null => {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return null
  const context: SpanContext = { traceId, spanId, traceFlags: TraceFlags.NONE, isRemote: true }
  return trace.isSpanContextValid(context) ? { context } : null
}
