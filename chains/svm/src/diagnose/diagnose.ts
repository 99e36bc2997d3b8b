import type { ChainConfig, Diagnosis, DiagnosisRequest, JsonRpcClient, JsonRpcEndpoint } from '@causeway/core'
import type { SvmSettings } from '../options.js'
import { diagnoseAccounts } from './diagnoseAccounts.js'
import { diagnoseEndpoint, type EndpointReport } from './diagnoseEndpoint.js'
import { diagnoseSocket } from './diagnoseSocket.js'

export interface DiagnoseDeps {
  readonly rpc: JsonRpcClient
  readonly config: ChainConfig
  readonly settings: SvmSettings
}

/** Slots by which an endpoint may be behind the best before it is said. */
const LAG_SLOTS = 25n

/** Every endpoint by itself, then against the others, then the accounts by one that works. */
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
  const working = reports.find(({ slot }) => slot !== null)
  const accounts = working === undefined ? [] : await diagnoseAccounts(working.endpoint, deps, request)
  return [...reports.flatMap(({ found }) => found), ...lagging(reports, config), ...sockets, ...accounts]
}

const subjectOf = ({ slug }: ChainConfig, { name }: JsonRpcEndpoint): string => `${slug} / ${name}`

const lagging = (reports: readonly EndpointReport[], config: ChainConfig): Diagnosis[] => {
  let best = 0n
  for (const { slot } of reports) if (slot !== null && slot > best) best = slot
  return reports.flatMap(({ endpoint, slot }): Diagnosis[] =>
    slot === null || best - slot <= LAG_SLOTS
      ? []
      : [
          {
            check: 'rpc head',
            subject: subjectOf(config, endpoint),
            state: 'fault',
            message: `is ${best - slot} slots behind another endpoint`,
            remedy: 'Wait until the node has caught up, or take it out of "rpc".',
          },
        ],
  )
}
