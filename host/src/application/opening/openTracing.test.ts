import { expect, it } from 'vitest'
import type { LoadedConfig } from '../../config/loadConfig.js'
import { openTracing, TracingMissingError } from './openTracing.js'

const loaded = (tracing?: object) => {
  // CAST: the parts that are read.
  return { config: { tracing, serviceName: 'relay', roles: ['api'] } } as unknown as LoadedConfig
}

/** The error of Node for a package that is not installed. */
const missing = (): Promise<never> => import(['@opentelemetry', 'not-installed'].join('/')) as Promise<never>

it('names the packages to install where tracing is configured without them', async () => {
  const opening = openTracing(loaded({ endpoint: 'https://collector.example', sampleRatio: 1 }), missing)
  await expect(opening).rejects.toThrow(TracingMissingError)
  await expect(opening).rejects.toThrow(/npm install .*@opentelemetry\/sdk-trace-base@\d+\.\d+\.\d+/)
})

it('loads no package where tracing is not configured', async () => {
  const { close } = await openTracing(loaded(), missing)
  await close()
})
