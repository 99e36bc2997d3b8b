import type { Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { type ChainDiagnosis, diagnoseChain } from '@causeway/core/chain-kit'
import { diagnoseContracts } from './diagnosis/diagnoseContracts.js'
import type { DiagnoseDeps } from './diagnosis/diagnoseDeps.js'
import { readEndpoint } from './diagnosis/diagnoseEndpoint.js'

/** Blocks by which an endpoint may be behind the best before it is said. */
const LAG_BLOCKS = 5n

/** A head older than this is stale on any chain this service was made for, unless its configuration says otherwise. */
const STALE_SECONDS = 120

/** Every endpoint by itself, then against the others, then the contracts by one that works. */
export const diagnose = (request: DiagnosisRequest, deps: DiagnoseDeps): Promise<readonly Diagnosis[]> => {
  const { maxHeadAgeSeconds } = deps.settings
  const chain: ChainDiagnosis = {
    unit: 'block',
    maxBehind: LAG_BLOCKS,
    staleSeconds: maxHeadAgeSeconds > 0 ? maxHeadAgeSeconds : STALE_SECONDS,
    otherChain: {
      message: 'serves another chain than the configured one',
      expected: String(deps.config.id),
      remedy: 'Correct the URL, or the "id" of the chain.',
    },
    heads: { topic: { method: 'eth_subscribe', params: ['newHeads'] }, notification: 'eth_subscription' },
    read: (endpoint, subject) => readEndpoint(endpoint, subject, deps),
    onChain: (endpoint) => diagnoseContracts(endpoint, deps, request),
  }
  return diagnoseChain(chain, request, { pool: deps.rpc, config: deps.config })
}
