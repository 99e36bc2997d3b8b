import type { Context, Span, SpanOptions, Tracer } from '@opentelemetry/api'
import { trace } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { RequestIdGenerator } from './requestIds.js'
import { RequestTracing } from './requestTracing.js'

const REQUEST = `0x${'AB'.repeat(16)}${'cd'.repeat(8)}${'ef'.repeat(8)}` as const

/** Keeps what was asked of it, ids as the tracing library would take them. */
const recorder = () => {
  const ids = new RequestIdGenerator()
  const spans: { name: string; traceId: string; parent: string | undefined; spanId: string; options: SpanOptions }[] =
    []
  const startSpan = (name: string, options: SpanOptions = {}, context?: Context): Span => {
    const parent = context === undefined ? undefined : trace.getSpanContext(context)
    const spanId = ids.generateSpanId()
    spans.push({ name, traceId: parent?.traceId ?? ids.generateTraceId(), parent: parent?.spanId, spanId, options })
    return { end: () => undefined, setStatus: () => undefined } as unknown as Span
  }
  // CAST: nothing else of the two is used.
  return { spans, tracing: new RequestTracing({ tracer: { startSpan } as unknown as Tracer, ids }) }
}

describe('one request is one trace', () => {
  it('takes its ids from the request id: the root has them, every other span is its child', () => {
    const { spans, tracing } = recorder()
    tracing.quoted({
      requestId: REQUEST,
      route: '/quote',
      startedAt: 1,
      phases: [{ name: 'read market', startedAt: 1, endedAt: 2, failed: false }],
    })
    tracing.step(REQUEST, 'decide', 1, {})
    expect(spans.map(({ name, traceId, parent }) => [name, traceId, parent])).toEqual([
      ['quote', 'ab'.repeat(16), undefined],
      ['read market', 'ab'.repeat(16), 'cd'.repeat(8)],
      ['decide', 'ab'.repeat(16), 'cd'.repeat(8)],
    ])
    expect(spans[0]?.spanId).toBe('cd'.repeat(8))
    expect(spans[1]?.spanId).not.toBe('cd'.repeat(8))
  })

  it('links the trace of a caller and never joins it; what is no traceparent is ignored', () => {
    const { spans, tracing } = recorder()
    const good = `00-${'12'.repeat(16)}-${'34'.repeat(8)}-01`
    const bad = [
      '',
      'x',
      `00-${'00'.repeat(16)}-${'34'.repeat(8)}-01`,
      `${good}\n`,
      good.replaceAll('1', 'A'),
      `${good}-more`,
    ]
    for (const traceparent of [good, ...bad]) {
      tracing.quoted({ requestId: REQUEST, route: '/quote', startedAt: 1, phases: [], traceparent })
    }
    expect(spans.map(({ options }) => options.links?.length ?? 0)).toEqual([1, ...bad.map(() => 0)])
    expect(spans[0]?.options.links?.[0]?.context).toMatchObject({ traceId: '12'.repeat(16), spanId: '34'.repeat(8) })
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(['ab'.repeat(16)]))
  })

  it('a payout without a request, and a process without a tracer, make no span', () => {
    const { spans, tracing } = recorder()
    tracing.step(null, 'sign', 1, {})
    expect(spans).toEqual([])
    const off = new RequestTracing(null)
    off.step(REQUEST, 'sign', 1, {})
    off.quoted({ requestId: REQUEST, route: '/quote', startedAt: 1, phases: [] })
    expect(off.enabled).toBe(false)
  })
})
