import { expect, it } from 'vitest'
import type { ChainAdapter } from '../chain/chainAdapter.js'
import type { ChainConfig } from '../chain/chainPackage.js'
import type { EndpointState } from '../chain/endpoint/endpointHealth.js'
import { parseUsd } from '../money/usdMath.js'
import { hasQuorum, neededProviders, quorumDemand, requireQuorum } from './quorumTiers.js'

const settings = (providers: number, quorum?: ChainConfig['quorum']) => ({
  id: 7,
  rpc: Array.from({ length: providers }, (_, at) => ({ http: `http://node-${at}.example` })),
  confirmations: { fill: 2, success: 1, settle: 10, settleSeconds: 0 },
  ...(quorum === undefined ? {} : { quorum }),
})

const TIERS = [
  { aboveUsd: '100', agreeing: 2 },
  { aboveUsd: '10000.5', agreeing: 3, confirmations: 12 },
]

const demand = (config: ReturnType<typeof settings>, usd: string | null) =>
  quorumDemand(config, usd === null ? null : parseUsd(usd))

it('invariant 3: the strictest tier an amount is above decides; at the limit itself it does not hold yet', () => {
  const config = settings(3, TIERS)
  expect(demand(config, '100')).toEqual({ agreeing: 1, confirmations: 2 })
  expect(demand(config, '100.000000000000000001')).toEqual({ agreeing: 2, confirmations: 2 })
  expect(demand(config, '10000.5')).toEqual({ agreeing: 2, confirmations: 2 })
  expect(demand(config, '10000.51')).toEqual({ agreeing: 3, confirmations: 12 })
})

it('invariant 3: an amount nobody can price is above every tier', () => {
  expect(demand(settings(3, TIERS), null)).toEqual({ agreeing: 3, confirmations: 12 })
})

it('two providers agree above $1000 where nothing is configured; one alone, or an empty list, has no quorum', () => {
  expect(demand(settings(2), '1000')).toMatchObject({ agreeing: 1 })
  expect(demand(settings(2), '1000.01')).toMatchObject({ agreeing: 2 })
  expect(demand(settings(1), null)).toMatchObject({ agreeing: 1 })
  expect(demand(settings(2, []), null)).toMatchObject({ agreeing: 1 })
})

const chainOf = (config: ReturnType<typeof settings>, states: readonly EndpointState[] | null) => {
  const endpoints = (states ?? []).map((state, at) => ({ name: `${at}`, provider: `${at}`, state, headAgeMs: null }))
  // CAST: only what the rules of a quorum read.
  return { config, adapter: states === null ? {} : { endpoints: () => endpoints } } as unknown as {
    config: ChainConfig
    adapter: ChainAdapter
  }
}

it('F06: a chain is served only while as many providers can be believed as its lowest tier asks for', () => {
  const config = settings(3, TIERS)
  expect(neededProviders(config)).toBe(2)
  expect(hasQuorum(chainOf(config, ['ok', 'ok', 'down']))).toBe(true)
  expect(hasQuorum(chainOf(config, ['distrusted', 'ok', 'down']))).toBe(false)
  expect(hasQuorum(chainOf(config, null))).toBe(true)
  expect(hasQuorum(chainOf(settings(1), ['down']))).toBe(true)
  expect(() => requireQuorum(chainOf(config, ['ok', 'lagging', 'lagging']))).toThrow(/Too few nodes of chain 7/)
})
