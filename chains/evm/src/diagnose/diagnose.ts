import type { ChainConfig, Diagnosis, DiagnosisRequest, JsonRpcClient, JsonRpcEndpoint } from '@causeway/core'
import type { EvmSettings } from '../options.js'
import { diagnoseContracts } from './diagnoseContracts.js'
import { diagnoseEndpoint, type EndpointReport } from './diagnoseEndpoint.js'
import { diagnoseSocket } from './diagnoseSocket.js'

export interface DiagnoseDeps {
  readonly rpc: JsonRpcClient
  readonly config: ChainConfig
  readonly settings: EvmSettings
}

/** Blocks by which an endpoint may be behind the best before it is said. */
const LAG_BLOCKS = 5n

/** Every endpoint by itself, then against the others, then the contracts by one that works. */
export const diagnose = async (request: DiagnosisRequest, deps: DiagnoseDeps): Promise<readonly Diagnosis[]> => {
  const { rpc, config } = deps
  const [reports, sockets] = await Promise.all([
    Promise.all(
      rpc.endpoints.map((endpoint) => diagnoseEndpoint(endpoint, subjectOf(config, endpoint), deps, request)),
    ),
    Promise.all(
      config.rpc.flatMap(({ ws }, at) => {
        const endpoint = rpc.endpoints[at]
        return ws === undefined || endpoint === undefined
          ? []
          : [diagnoseSocket(ws, subjectOf(config, endpoint), request)]
      }),
    ),
  ])
  const working = reports.find(({ head }) => head !== null)
  const contracts = working === undefined ? [] : await diagnoseContracts(working.endpoint, deps, request)
  return [...reports.flatMap(({ found }) => found), ...lagging(reports, config), ...sockets, ...contracts]
}

const subjectOf = ({ slug }: ChainConfig, { name }: JsonRpcEndpoint): string => `${slug} / ${name}`

const lagging = (reports: readonly EndpointReport[], config: ChainConfig): Diagnosis[] => {
  let best = 0n
  for (const { head } of reports) if (head !== null && head.height > best) best = head.height
  return reports.flatMap(({ endpoint, head }): Diagnosis[] =>
    head === null || best - head.height <= LAG_BLOCKS
      ? []
      : [
          {
            check: 'rpc head',
            subject: subjectOf(config, endpoint),
            state: 'fault',
            message: `is ${best - head.height} blocks behind another endpoint`,
            remedy: 'Wait until the node has caught up, or take it out of "rpc".',
          },
        ],
  )
}
