import type { Chain, ChainRegistry } from '../chain/chainRegistry.js'
import type { EndpointHealth, EndpointState } from '../chain/endpoint/endpointHealth.js'
import { hasQuorum } from '../quorum/quorumTiers.js'
import type { MetricDefinition, Sample } from './metrics.js'

const STATES = ['ok', 'lagging', 'distrusted', 'down'] as const satisfies readonly EndpointState[]
const ENDPOINTS = 'causeway_rpc_endpoints'
const HEAD_AGE = 'causeway_rpc_head_age_seconds'
const QUORUM = 'causeway_chain_quorum'

/** The configured name of who runs the n-th endpoint. Never its host: some providers put keys there. */
const labelOf = ({ config }: Chain, at: number): string => config.rpc[at]?.provider ?? `endpoint ${at + 1}`

/** Gauges of the providers of every chain whose adapter tells of them. */
export const providerGauges = (chains: ChainRegistry): readonly MetricDefinition[] => {
  const all = chains.all()
  const chain = all.map(({ config }) => config.slug)
  const provider = [...new Set(all.flatMap((item) => item.config.rpc.map((_, at) => labelOf(item, at))))]
  return [
    {
      name: ENDPOINTS,
      help: 'Endpoints of a provider that this process finds in a state; distrusted: the others contradict it',
      labels: { chain, provider, state: STATES },
    },
    { name: HEAD_AGE, help: 'Age of the newest block a provider showed this process', labels: { chain, provider } },
    { name: QUORUM, help: '1 while enough providers can be believed for money to depend on them', labels: { chain } },
  ]
}

/** What a chain's adapter says of its endpoints now. */
export const providerSamples = (chain: Chain): Sample[] => {
  const known = chain.adapter.endpoints?.() ?? []
  const byProvider = new Map<string, EndpointHealth[]>()
  known.forEach((endpoint, at) => {
    const label = labelOf(chain, at)
    byProvider.set(label, [...(byProvider.get(label) ?? []), endpoint])
  })
  const { slug } = chain.config
  return [
    ...[...byProvider].flatMap(([provider, endpoints]) => ofProvider(slug, provider, endpoints)),
    { gauge: QUORUM, labels: { chain: slug }, value: hasQuorum(chain) ? 1 : 0 },
  ]
}

const ofProvider = (chain: string, provider: string, endpoints: readonly EndpointHealth[]): Sample[] => {
  const ages = endpoints.flatMap(({ headAgeMs }) => headAgeMs ?? [])
  return [
    ...STATES.map((state) => ({
      gauge: ENDPOINTS,
      labels: { chain, provider, state },
      value: endpoints.filter((endpoint) => endpoint.state === state).length,
    })),
    ...(ages.length === 0 ? [] : [{ gauge: HEAD_AGE, labels: { chain, provider }, value: Math.min(...ages) / 1000 }]),
  ]
}
