import type { ChainConfig } from '../../chain/chainPackage.js'
import type { Diagnosis, DiagnosisRequest } from '../../chain/endpoint/diagnosis.js'
import { redactErrorMessage } from '../../http/logging/redact.js'
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
  const onChain = working === undefined ? [] : await chain.onChain(working.endpoint).catch(unreadable(config, working))
  return [...reports.flatMap(({ found }) => found), ...lagging(reports, chain, config), ...sockets, ...onChain]
}

/** Findings about endpoints are kept if a later read of the chain fails. */
const unreadable =
  ({ slug }: ChainConfig, { endpoint: { name } }: EndpointReport<NamedEndpoint>) =>
  (error: unknown): readonly Diagnosis[] => {
    const why = redactErrorMessage(error instanceof Error ? error.message : String(error))
    const message = `its contracts and accounts could not be read by ${name}: ${why}`
    const remedy = `Look whether ${name} has limits or a lagging state, and ask again.`
    return [{ check: 'chain', subject: slug, state: 'fault', message, remedy }]
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
