import { createRequire } from 'node:module'
import { environmentOf, systemClock } from '@causeway/core'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import chainPackage, { tonAdapter } from './index.js'
import { loadSandbox } from './payout/emulation/emulator.js'

const account = (digits: string) => `0:${digits.repeat(32)}`

/** Whether this process loaded a file of the sandbox. */
const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('@ton/sandbox'))

it('package and adapter do not load the virtual machine before a payment is run', async () => {
  const config = {
    ...{ id: 71_011, slug: 'local-ton', name: 'Local', package: chainPackage.name, solver: account('11') },
    ...{ rpc: [{ http: 'http://127.0.0.1:1', provider: 'none' }], currencies: [], enabled: true, options: {} },
    confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
  }
  const deps = { config, clock: systemClock, logger: pino({ level: 'silent' }), environment: environmentOf({}) }
  const adapter = tonAdapter({ depository: account('22'), rpcTimeoutMs: 1000 }, deps)
  expect(adapter.capabilities.simulation).toBe('full')
  await adapter.start(AbortSignal.timeout(2000)).catch(() => undefined)
  await adapter.stop()
  expect(isLoaded()).toBe(false)
  loadSandbox('config/defaultConfig.js')
  expect(isLoaded()).toBe(true)
})
