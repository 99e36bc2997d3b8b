import type { Diagnosis } from '@causeway/core/chain'
import type { EndpointReading, JsonRpcEndpoint } from '@causeway/core/chain-kit'
import type { XrpSettings } from '../options.js'
import { wholeSince } from '../rpc/ledgerRanges.js'
import type { ServerInfo } from '../rpc/serverInfo.js'
import { askHead, askServerInfo } from '../rpc/xrpNode.js'

/** The newest validated ledger, and which ledgers before it the node has. */
export const readEndpoint = async (
  endpoint: JsonRpcEndpoint,
  subject: string,
  settings: Pick<XrpSettings, 'startLedger'>,
): Promise<EndpointReading> => {
  const [{ height, time }, info] = await Promise.all([askHead(endpoint), askServerInfo(endpoint)])
  return { height, time, history: () => historyOf(subject, info, settings) }
}

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
