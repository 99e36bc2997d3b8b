import type { Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { type ChainDiagnosis, diagnoseChain } from '@causeway/core/chain-kit'
import { diagnoseAccounts } from './diagnose/diagnoseAccounts.js'
import type { DiagnoseDeps } from './diagnose/diagnoseDeps.js'
import { readEndpoint } from './diagnose/diagnoseEndpoint.js'

/** Slots by which an endpoint may be behind the best before it is said. */
const LAG_SLOTS = 25n

/** A head older than this is stale, unless the configuration says otherwise. */
const STALE_SECONDS = 60

/** Every endpoint by itself, then against the others, then the accounts by one that works. */
export const diagnose = (request: DiagnosisRequest, deps: DiagnoseDeps): Promise<readonly Diagnosis[]> => {
  const { maxHeadAgeSeconds } = deps.settings
  const chain: ChainDiagnosis = {
    unit: 'slot',
    maxBehind: LAG_SLOTS,
    staleSeconds: maxHeadAgeSeconds > 0 ? maxHeadAgeSeconds : STALE_SECONDS,
    otherChain: {
      message: 'serves another chain by its genesis hash',
      expected: deps.settings.genesisHash,
      remedy: 'Correct the URL, or "genesisHash" in the chain\'s options.',
    },
    heads: { topic: { method: 'slotSubscribe', params: [] }, notification: 'slotNotification' },
    read: (endpoint, subject) => readEndpoint(endpoint, subject, deps),
    onChain: (endpoint) => diagnoseAccounts(endpoint, deps, request),
  }
  return diagnoseChain(chain, request, { pool: deps.rpc, config: deps.config })
}
