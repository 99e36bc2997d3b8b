import type { ChainConfig, Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import {
  type ChainDiagnosis,
  diagnoseChain,
  diagnoseDepositoryAccount,
  type JsonRpcClient,
} from '@causeway/core/chain-kit'
import { validateAddress } from '../address/addresses.js'
import type { XrpSettings } from '../options.js'
import { LAG_LEDGERS } from '../rpc/probe.js'
import { diagnoseAccounts } from './diagnoseAccounts.js'
import { readEndpoint } from './diagnoseEndpoint.js'

export interface DiagnoseDeps {
  readonly rpc: JsonRpcClient
  readonly config: ChainConfig
  readonly settings: XrpSettings
}

/** A ledger is validated about every four seconds: without one for so long the network stands still, or the node does. */
const STALE_SECONDS = 60

/** Servers take the fields of a websocket's command beside its name. */
const LEDGERS = { method: 'subscribe', params: [], command: 'subscribe', streams: ['ledger'], api_version: 2 }

/** Every endpoint by itself, then against the others, then our accounts by one that works. */
export const diagnose = (request: DiagnosisRequest, deps: DiagnoseDeps): Promise<readonly Diagnosis[]> => {
  const { config, settings } = deps
  const { depository, networkId } = settings
  const account = {
    subject: `${config.slug} depository`,
    depository,
    allocator: request.allocator,
    validateAddress: (text: string) => validateAddress(text, networkId),
  }
  const chain: ChainDiagnosis = {
    unit: 'ledger',
    maxBehind: LAG_LEDGERS,
    staleSeconds: STALE_SECONDS,
    otherChain: {
      message: 'serves another network by its network id',
      expected: String(networkId),
      remedy: 'Correct the URL, or "networkId" in the chain\'s options.',
    },
    heads: { topic: LEDGERS, notification: 'ledgerClosed' },
    read: (endpoint, subject) => readEndpoint(endpoint, subject, settings),
    onChain: async (endpoint) => [
      diagnoseDepositoryAccount(account),
      ...(await diagnoseAccounts(endpoint, { config, settings })),
    ],
  }
  return diagnoseChain(chain, request, { pool: deps.rpc, config })
}
