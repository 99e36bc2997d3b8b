import {
  type ChainConfig,
  type ChainDiagnosis,
  type Diagnosis,
  type DiagnosisRequest,
  diagnoseChain,
  type JsonRpcClient,
} from '@causeway/core'
import type { SvmSettings } from '../options.js'
import { diagnoseAccounts } from './diagnoseAccounts.js'
import { lookAt } from './diagnoseEndpoint.js'

export interface DiagnoseDeps {
  readonly rpc: JsonRpcClient
  readonly config: ChainConfig
  readonly settings: SvmSettings
}

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
      message: 'serves another chain: its genesis hash is not the configured one',
      remedy: 'Correct the URL, or "genesisHash" in the chain\'s options.',
    },
    heads: { topic: { method: 'slotSubscribe', params: [] }, notification: 'slotNotification' },
    look: (endpoint, subject) => lookAt(endpoint, subject, deps),
    onChain: (endpoint) => diagnoseAccounts(endpoint, deps, request),
  }
  return diagnoseChain(chain, request, deps)
}
