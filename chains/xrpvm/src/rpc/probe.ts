import { type EndpointProbe, type JsonRpcNode, jsonRpcProbe, resultOf } from '@causeway/core/chain-kit'
import { readHead } from './ledgerHead.js'
import { headCall, ledgerCall } from './xrpNode.js'
import { xrpProtocol } from './xrpProtocol.js'

/** How many ledgers a node may be behind the others. */
export const LAG_LEDGERS = 8n
/** How many ledgers no honest node is ahead of most others. */
const AHEAD_LEDGERS = 1000n

/** Nodes are of the same network by its id, and must agree on the ledger before their newest: a validated one never changes. */
export const xrpProbe = (networkId: number): EndpointProbe<JsonRpcNode> =>
  jsonRpcProbe({
    unit: 'ledger',
    identify: xrpProtocol(networkId).identify,
    headCalls: [headCall],
    readHead: ([outcome]) => {
      const { height, time } = readHead(resultOf(outcome, headCall.method))
      return { height, progress: height, comparable: height, time }
    },
    hashCall: ledgerCall,
    readHash: (answer) => readHead(answer).hash,
    depth: 1n,
    final: true,
    maxAhead: AHEAD_LEDGERS,
    lag: { limit: LAG_LEDGERS, reason: 'Its newest validated ledger is far behind that of the others.' },
  })
