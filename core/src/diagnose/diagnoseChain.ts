import type { ChainConfig } from '../chain/chainPackage.js'
import type { Diagnosis, DiagnosisRequest } from '../chain/diagnosis.js'
import type { NamedEndpoint } from '../quorum/depositTestimony.js'
import type { JsonRpcEndpoint } from '../rpc/jsonRpcEndpoint.js'
import type { RpcTopic } from '../rpc/rpcSubscription.js'
import { diagnoseEndpoint, type EndpointReport } from './diagnoseEndpoint.js'
import { diagnoseSocket } from './diagnoseSocket.js'

/** What an endpoint shows when it is looked at. */
export interface EndpointSight {
  readonly height: bigint
  /** Unix seconds of its newest block; null when it does not tell. */
  readonly time: number | null
  /** Whether deposits can be found by it. */
  history(): Diagnosis | Promise<Diagnosis>
}

/** What differs from chain to chain when its nodes are looked at for a person who asks what is wrong. */
export interface ChainDiagnosis<Endpoint extends NamedEndpoint = JsonRpcEndpoint> {
  /** What the chain calls what its heights count. */
  readonly unit: 'block' | 'slot'
  /** By how much an endpoint may be behind the best before it is said. */
  readonly maxBehind: bigint
  /** A head older than this is stale. */
  readonly staleSeconds: number
  /** Said of an endpoint of another chain. */
  readonly otherChain: { readonly message: string; readonly remedy: string }
  /** Begins a subscription to heads; `notification` is in every message that it brings. Absent: the chain has none. */
  readonly heads?: { readonly topic: RpcTopic; readonly notification: string }
  /** One round trip, which is timed. Throws when the endpoint cannot be used. */
  look(endpoint: Endpoint, subject: string): Promise<EndpointSight>
  /** What the service needs on the chain itself, by an endpoint that works. */
  onChain(endpoint: Endpoint): Promise<readonly Diagnosis[]>
}

export interface DiagnoseChainDeps<Endpoint extends NamedEndpoint = JsonRpcEndpoint> {
  /** In the order of `config.rpc`. */
  readonly rpc: { readonly endpoints: readonly Endpoint[] }
  readonly config: ChainConfig
}

/** Every endpoint by itself, then against the others, then what is on the chain by one that works. */
export const diagnoseChain = async <Endpoint extends NamedEndpoint>(
  chain: ChainDiagnosis<Endpoint>,
  request: DiagnosisRequest,
  { rpc, config }: DiagnoseChainDeps<Endpoint>,
): Promise<readonly Diagnosis[]> => {
  const { unit, heads } = chain
  const [reports, sockets] = await Promise.all([
    Promise.all(
      rpc.endpoints.map((endpoint) => diagnoseEndpoint(endpoint, subjectOf(config, endpoint), chain, request)),
    ),
    Promise.all(
      config.rpc.flatMap(({ ws }, at) => {
        const endpoint = rpc.endpoints[at]
        return ws === undefined || endpoint === undefined || heads === undefined
          ? []
          : [diagnoseSocket(ws, subjectOf(config, endpoint), { unit, heads }, request)]
      }),
    ),
  ])
  const working = reports.find(({ height }) => height !== null)
  const onChain = working === undefined ? [] : await chain.onChain(working.endpoint)
  return [...reports.flatMap(({ found }) => found), ...lagging(reports, chain, config), ...sockets, ...onChain]
}

const subjectOf = ({ slug }: ChainConfig, { name }: NamedEndpoint): string => `${slug} / ${name}`

const lagging = (
  reports: readonly EndpointReport<NamedEndpoint>[],
  { unit, maxBehind }: Pick<ChainDiagnosis, 'unit' | 'maxBehind'>,
  config: ChainConfig,
): Diagnosis[] => {
  let best = 0n
  for (const { height } of reports) if (height !== null && height > best) best = height
  return reports.flatMap(({ endpoint, height }): Diagnosis[] =>
    height === null || best - height <= maxBehind
      ? []
      : [
          {
            check: 'rpc head',
            subject: subjectOf(config, endpoint),
            state: 'fault',
            message: `is ${best - height} ${unit}s behind another endpoint`,
            remedy: 'Wait until the node has caught up, or take it out of "rpc".',
          },
        ],
  )
}
