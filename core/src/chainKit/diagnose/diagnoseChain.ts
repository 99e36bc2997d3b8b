import type { ChainConfig } from '../../chain/chainPackage.js'
import type { Diagnosis, DiagnosisRequest } from '../../chain/endpoint/diagnosis.js'
import type { JsonRpcEndpoint } from '../endpoints/clients/jsonRpcEndpoint.js'
import type { NamedEndpoint } from '../quorum/depositVote.js'
import type { ChainDiagnosis } from './chainDiagnosis.js'
import { diagnoseEndpoint, type EndpointReport } from './diagnoseEndpoint.js'
import { diagnoseSocket } from './diagnoseSocket.js'

export interface DiagnoseChainDeps<Endpoint extends NamedEndpoint = JsonRpcEndpoint> {
  /** In the order of `config.rpc`. */
  readonly pool: { readonly endpoints: readonly Endpoint[] }
  readonly config: ChainConfig
}

/** Every endpoint by itself, then against the others, then what is on the chain by one that works. */
export const diagnoseChain = async <Endpoint extends NamedEndpoint>(
  chain: ChainDiagnosis<Endpoint>,
  request: DiagnosisRequest,
  { pool, config }: DiagnoseChainDeps<Endpoint>,
): Promise<readonly Diagnosis[]> => {
  const { unit, heads } = chain
  const [reports, sockets] = await Promise.all([
    Promise.all(
      pool.endpoints.map((endpoint) => diagnoseEndpoint(endpoint, subjectOf(config, endpoint), chain, request)),
    ),
    Promise.all(
      config.rpc.flatMap(({ ws }, at) => {
        const endpoint = pool.endpoints[at]
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
