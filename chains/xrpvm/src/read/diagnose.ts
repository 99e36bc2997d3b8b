import type { Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { type ChainDiagnosis, diagnoseChain, diagnoseOwnAccounts, type JsonRpcClient } from '@causeway/core/chain-kit'
import { LAG_LEDGERS } from '../rpc/probe.js'
import { readEndpoint } from './diagnoseEndpoint.js'
import { accountQuestions, type OwnAccountsDeps, ownAccountsOf } from './ownAccounts.js'

export interface DiagnoseDeps extends OwnAccountsDeps {
  readonly rpc: JsonRpcClient
}

/** A ledger is validated about every four seconds: without one for so long the network stands still, or the node does. */
const STALE_SECONDS = 60

/** Servers take the fields of a websocket's command beside its name. */
const LEDGERS = { method: 'subscribe', params: [], command: 'subscribe', streams: ['ledger'], api_version: 2 }

/** Every endpoint by itself, then against the others, then our accounts by one that works. */
export const diagnose = (request: DiagnosisRequest, deps: DiagnoseDeps): Promise<readonly Diagnosis[]> => {
  const { config, settings } = deps
  const chain: ChainDiagnosis = {
    unit: 'ledger',
    maxBehind: LAG_LEDGERS,
    staleSeconds: STALE_SECONDS,
    otherChain: {
      message: 'serves another network by its network id',
      expected: String(settings.networkId),
      remedy: 'Correct the URL, or "networkId" in the chain\'s options.',
    },
    heads: { topic: LEDGERS, notification: 'ledgerClosed' },
    read: (endpoint, subject) => readEndpoint(endpoint, subject, settings),
    onChain: (endpoint) => diagnoseOwnAccounts(ownAccountsOf(deps, request), accountQuestions(endpoint)),
  }
  return diagnoseChain(chain, request, { pool: deps.rpc, config })
}
