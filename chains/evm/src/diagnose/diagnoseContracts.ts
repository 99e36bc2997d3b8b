import type { Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import type { JsonRpcEndpoint } from '@causeway/core/chain-kit'
import { diagnoseAllowances } from './diagnoseAllowances.js'
import type { DiagnoseDeps } from './diagnoseDeps.js'
import { verifyContracts } from './verifyContracts.js'

/** The contracts are those of this deployment, and the routers may take what the solver is to pay through them. */
export const diagnoseContracts = async (
  endpoint: JsonRpcEndpoint,
  { config, settings }: Pick<DiagnoseDeps, 'config' | 'settings'>,
  request: DiagnosisRequest,
): Promise<readonly Diagnosis[]> => [
  ...(await verifyContracts(endpoint, { config, settings }, request)),
  ...(await diagnoseAllowances(endpoint, { config, settings })),
]
