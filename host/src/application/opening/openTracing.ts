import { RequestIdGenerator } from '@causeway/core/host'
import { installCommand, RequestTracing } from '@causeway/core/plugin'
import type { LoadedConfig } from '../../config/loadConfig.js'
import { HOST_VERSION } from '../hostVersion.js'

export interface OpenTracing {
  readonly requests: RequestTracing
  /** Sends what is left, for a short while at most. */
  close(): Promise<void>
}

const OFF: OpenTracing = { requests: new RequestTracing(null), close: async () => undefined }
const EXPORT_MS = 5_000
const CLOSE_MS = 2_000

const MANIFEST = new URL('../../../package.json', import.meta.url)
/** Optional peers: only a host that exports traces needs them. */
const PACKAGES = [
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
]

/** Tracing is configured and a package that it needs is not installed. */
export class TracingMissingError extends Error {
  override readonly name = 'TracingMissingError'
  constructor(options: ErrorOptions) {
    const command = installCommand(MANIFEST, PACKAGES)
    super(
      `"tracing" is configured, but its packages are not installed. Run: ${command} (or remove "tracing").`,
      options,
    )
  }
}

type TracingPackages = readonly [
  typeof import('@opentelemetry/api'),
  typeof import('@opentelemetry/context-async-hooks'),
  typeof import('@opentelemetry/exporter-trace-otlp-http'),
  typeof import('@opentelemetry/resources'),
  typeof import('@opentelemetry/sdk-trace-base'),
]

const loadPackages = (): Promise<TracingPackages> =>
  Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
  ])

const isMissing = (error: unknown): boolean => Reflect.get(Object(error), 'code') === 'ERR_MODULE_NOT_FOUND'

/**
 * Opens tracing as configured; without a configuration no package of it is loaded. Spans wait in a bounded queue and leave in
 * batches: an unreachable or slow collector costs spans, never requests.
 * @throws TracingMissingError
 */
export const openTracing = async ({ config }: LoadedConfig, load = loadPackages): Promise<OpenTracing> => {
  const { tracing, serviceName, roles } = config
  if (tracing === undefined) return OFF
  const [api, hooks, exporting, resources, sdk] = await load().catch((error: unknown) => {
    throw isMissing(error) ? new TracingMissingError({ cause: error }) : error
  })
  const ids = new RequestIdGenerator()
  const exporter = new exporting.OTLPTraceExporter({
    url: tracing.endpoint,
    headers: tracing.headers ?? {},
    timeoutMillis: EXPORT_MS,
  })
  const provider = new sdk.BasicTracerProvider({
    idGenerator: ids,
    // By the trace id alone, which every process derives from the request: all keep or drop the same requests.
    sampler: new sdk.TraceIdRatioBasedSampler(tracing.sampleRatio),
    resource: resources.resourceFromAttributes({
      'service.name': 'causeway',
      'service.namespace': serviceName,
      'service.version': HOST_VERSION,
      'causeway.roles': [...roles],
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor(exporter, {
        maxQueueSize: 8_192,
        scheduledDelayMillis: 1_000,
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  })
  const manager = new hooks.AsyncLocalStorageContextManager().enable()
  api.context.setGlobalContextManager(manager)
  return {
    requests: new RequestTracing({ tracer: provider.getTracer('causeway', HOST_VERSION), ids }),
    close: () => soon(provider.shutdown()),
  }
}

/** The end of the work, or of our patience; a failure is none of ours. */
const soon = async (work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS)
  })
  await Promise.race([work.catch(() => undefined), patience])
  clearTimeout(timer)
}
