import type { Diagnosis } from '@causeway/core/chain'
import { type EndpointReading, type JsonRpcEndpoint, type NeededCall, unservedCalls } from '@causeway/core/chain-kit'
import type { XrpSettings } from '../options.js'
import { wholeSince } from '../rpc/ledgerRanges.js'
import type { ServerInfo } from '../rpc/serverInfo.js'
import { askHead, askServerInfo } from '../rpc/xrpNode.js'
import { isLacking } from '../rpc/xrpProtocol.js'

/** The newest validated ledger, and which ledgers before it the node has. */
export const readEndpoint = async (
  endpoint: JsonRpcEndpoint,
  subject: string,
  settings: Pick<XrpSettings, 'startLedger' | 'depository'>,
): Promise<EndpointReading> => {
  const [{ height, time }, info] = await Promise.all([askHead(endpoint), askServerInfo(endpoint)])
  const { depository } = settings
  return {
    height,
    time,
    history: () => historyOf(subject, info, settings),
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

/** Whether deposits can be read from this node as far back as is configured. */
export const historyOf = (
  subject: string,
  { complete }: Pick<ServerInfo, 'complete'>,
  { startLedger }: Pick<XrpSettings, 'startLedger'>,
): Diagnosis => {
  const found = { check: 'rpc history', subject }
  const since = wholeSince(complete, complete.at(-1)?.last ?? 0n)
  if (since === null) {
    const remedy = 'Wait until the node has caught up, or use another one.'
    return { ...found, state: 'fault', message: 'has no ledger whole, so deposits cannot be found by it', remedy }
  }
  if (startLedger !== null && since > BigInt(startLedger)) {
    const message = `has all ledgers only since ${since}, "startLedger" is ${startLedger}`
    const remedy = 'What was never read before that ledger needs a node with more history.'
    return { ...found, state: 'warning', message, remedy }
  }
  return { ...found, state: 'ok', message: `has all ledgers since ${since}` }
}
