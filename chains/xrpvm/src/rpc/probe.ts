import { type EndpointProbe, type JsonRpcNode, jsonRpcProbe, resultOf } from '@causeway/core/chain-kit'
import { readHead } from './ledgerHead.js'
import { xrpProtocol } from './xrpProtocol.js'

/** How many ledgers a node may be behind the others. */
export const LAG_LEDGERS = 8n
/** How many ledgers no honest node is ahead of most others. */
const AHEAD_LEDGERS = 1000n

const ledgerCall = (ledger_index: number | 'validated') => ({ method: 'ledger', params: [{ ledger_index }] })

/** Nodes are of one network by its id, and must agree on the ledger before their newest: a validated one never changes. */
export const xrpProbe = (networkId: number): EndpointProbe<JsonRpcNode> =>
  jsonRpcProbe({
    unit: 'ledger',
    identify: xrpProtocol(networkId).identify,
    headCalls: [ledgerCall('validated')],
    readHead: ([outcome]) => {
      const { height, time } = readHead(resultOf(outcome, 'ledger'))
      return { height, progress: height, comparable: height, time }
    },
    hashCall: (height) => ledgerCall(Number(height)),
    readHash: (answer) => readHead(answer).hash,
    depth: 1n,
    final: true,
    maxAhead: AHEAD_LEDGERS,
    lag: { limit: LAG_LEDGERS, reason: 'Its newest validated ledger is far behind that of the others.' },
  })
