import { type ListenerName, listenerOf, PromMetrics, type RequestObserver } from '@causeway/core/host'
import { HTTP_METHODS, type Metrics } from '@causeway/core/plugin'
import type { Middleware } from 'koa'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface HostMetrics {
  /** What core and plugins measure with. */
  readonly metrics: Metrics
  readonly observeRequest: RequestObserver
  /** Labelled by the job's name; `job` itself is a label that Prometheus sets. */
  readonly jobRestarts: Counter<'task'>
  /** Answers `GET /metrics` of one listener in the text format of Prometheus. */
  middlewareOn(listener: ListenerName): Middleware
}

/** A caller may send any word as a method; only these become labels. */
const METHODS: ReadonlySet<string> = new Set([...HTTP_METHODS, 'HEAD', 'OPTIONS'])
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The metrics of a process: its own, HTTP durations, restarts of jobs, and whatever plugins register. */
export const createHostMetrics = (): HostMetrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'causeway_http_request_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  const jobRestarts = new Counter({
    name: 'causeway_job_restarts_total',
    help: 'Failures after which a job was started again',
    labelNames: ['task'],
    registers: [registry],
  })
  const metrics = new PromMetrics({ registry })
  return {
    metrics,
    jobRestarts,
    observeRequest: (route, method, status, seconds) =>
      durations.observe({ route, method: METHODS.has(method) ? method : 'other', status }, seconds),
    middlewareOn: (listener) => async (koa, next) => {
      const isAsked = koa.path === '/metrics' && (koa.method === 'GET' || koa.method === 'HEAD')
      if (!isAsked || listenerOf(koa.req) !== listener) return next()
      koa.set('cache-control', 'no-store')
      koa.type = registry.contentType
      koa.body = await metrics.text()
    },
  }
}
