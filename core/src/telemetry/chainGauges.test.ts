import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import type { Chain } from '../chain/chainRegistry.js'
import { ChainRegistry } from '../chain/chainRegistry.js'
import type { EndpointHealth } from '../chain/endpoint/endpointHealth.js'
import { ChainGauges } from './chainGauges.js'
import { PromMetrics } from './promMetrics.js'

const endpoint = (name: string, state: EndpointHealth['state'], headAgeMs: number | null): EndpointHealth => ({
  name,
  provider: name,
  state,
  headAgeMs,
})

it('providers are counted by state under their configured names, never their hosts (faults.md F96)', async () => {
  const told = [
    endpoint('alpha-1', 'ok', 2_000),
    endpoint('alpha-2', 'distrusted', 500),
    endpoint('key-in-host.example', 'down', null),
  ]
  const rpc = [
    { http: 'https://one.example', provider: 'alpha' },
    { http: 'https://two.example', provider: 'alpha' },
    { http: 'https://key-in-host.example' },
  ]
  // CAST: the gauges read nothing else of a chain.
  const chains = new ChainRegistry([
    {
      config: { id: 1, slug: 'one', rpc },
      adapter: { onHead: () => undefined, endpoints: () => told, capabilities: {} },
    },
    {
      config: { id: 2, slug: 'two', rpc: [] },
      adapter: { onHead: () => undefined, capabilities: { headIntervalSeconds: 600 } },
    },
  ] as unknown as Chain[])
  const metrics = new PromMetrics({ registry: new Registry() })
  metrics.addSource(new ChainGauges({ chains, clock: { now: () => 0 } }))
  const all = (await metrics.text()).split('\n')
  expect(all).toContain('causeway_chain_block_seconds{chain="one"} 0')
  expect(all).toContain('causeway_chain_block_seconds{chain="two"} 600')
  const lines = all.filter((line) => line.startsWith('causeway_rpc_'))
  const of = (provider: string, state: string) =>
    `causeway_rpc_endpoints{chain="one",provider="${provider}",state="${state}"}`
  expect(lines).toEqual([
    ...[
      `${of('alpha', 'ok')} 1`,
      `${of('alpha', 'lagging')} 0`,
      `${of('alpha', 'distrusted')} 1`,
      `${of('alpha', 'down')} 0`,
    ],
    ...['ok', 'lagging', 'distrusted'].map((state) => `${of('endpoint 3', state)} 0`),
    `${of('endpoint 3', 'down')} 1`,
    'causeway_rpc_head_age_seconds{chain="one",provider="alpha"} 0.5',
  ])
})
