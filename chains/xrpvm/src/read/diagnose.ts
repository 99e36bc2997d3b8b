import type { ChainDiagnosis } from '@causeway/core/chain-kit'
import type { XrpSettings } from '../options.js'
import { LAG_LEDGERS } from '../rpc/probe.js'
import { readEndpoint } from './diagnoseEndpoint.js'

/** A ledger is validated about every four seconds: without one for so long the network stands still, or the node does. */
const STALE_SECONDS = 60

/** Servers take the fields of a websocket's command beside its name. */
const LEDGERS = { method: 'subscribe', params: [], command: 'subscribe', streams: ['ledger'], api_version: 2 }

/** How `doctor` checks the nodes of a network. */
export const chainDiagnosis = (settings: XrpSettings): Omit<ChainDiagnosis, 'onChain'> => ({
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
})
