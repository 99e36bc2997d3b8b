import { type EndpointProbe, type JsonRpcNode, jsonRpcProbe, resultOf } from '@causeway/core/chain-kit'
import { protocolOf } from './ledgerNode.js'
import type { LedgerBlock } from './transaction.js'

/** How many blocks a node may be behind the others. */
export const LAG_BLOCKS = 5n
/** How many blocks no honest node is ahead of most others. */
const AHEAD_BLOCKS = 1000n

/** Nodes are of the same ledger by its name, and must agree on a block `settle` blocks deep. */
export const ledgerProbe = (network: string, settle: number): EndpointProbe<JsonRpcNode> =>
  jsonRpcProbe({
    unit: 'block',
    identify: protocolOf(network).identify,
    headCalls: [{ method: 'ledger_head', params: [] }],
    readHead: ([outcome]) => {
      const { height, time } = resultOf<LedgerBlock>(outcome, 'ledger_head')
      return { height: BigInt(height), progress: BigInt(height), comparable: BigInt(height), time }
    },
    hashCall: (height) => ({ method: 'ledger_block', params: [Number(height)] }),
    // CAST: an answered ledger_block is a block.
    readHash: (block) => (block as LedgerBlock).hash,
    depth: BigInt(settle),
    final: false,
    maxAhead: AHEAD_BLOCKS,
    lag: { limit: LAG_BLOCKS, reason: 'Its newest block is far behind that of the others.' },
  })
