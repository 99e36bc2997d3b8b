import {
  diagnoseHistory,
  type EndpointReading,
  type JsonRpcEndpoint,
  type NeededCall,
  unservedCalls,
} from '@causeway/core/chain-kit'
import type { XrpSettings } from '../options.js'
import { wholeSince } from '../rpc/ledgerRanges.js'
import { askHead, askServerInfo } from '../rpc/xrpNode.js'
import { isLacking } from '../rpc/xrpProtocol.js'

/** The newest validated ledger, and which ledgers before it the node has. */
export const readEndpoint = async (
  endpoint: JsonRpcEndpoint,
  subject: string,
  settings: Pick<XrpSettings, 'startLedger' | 'depository'>,
): Promise<EndpointReading> => {
  const [{ height, time }, { complete }] = await Promise.all([askHead(endpoint), askServerInfo(endpoint)])
  const { depository, startLedger: start } = settings
  const since = wholeSince(complete, complete.at(-1)?.last ?? 0n)
  return {
    height,
    time,
    history: () => diagnoseHistory(subject, { unit: 'ledger', option: 'startLedger', start, since }),
    limits: () => unservedCalls(endpoint, neededCalls(depository, height), isLacking),
  }
}

const SPARE = 'Other servers are asked for it. Without one'

/** Commands that not every server serves. */
const neededCalls = (account: string, height: bigint): readonly NeededCall[] => [
  {
    call: { method: 'account_tx', params: [{ account, ledger_index_min: Number(height), limit: 1 }] },
    cost: `${SPARE}, no deposit is found and no payout is read back.`,
  },
  {
    call: { method: 'account_objects', params: [{ account, limit: 10 }] },
    cost: `${SPARE}, the numbers of the payout account that tickets hold are not known.`,
  },
  { call: { method: 'fee', params: [{}] }, cost: `${SPARE}, no payout is priced and the chain gives no quotes.` },
  {
    call: { method: 'simulate', params: [{ tx_json: { TransactionType: 'AccountSet', Account: account } }] },
    cost: 'Payouts are judged by what the accounts show, so a payout that fails costs its network fee.',
  },
]
