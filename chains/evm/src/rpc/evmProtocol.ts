import type { JsonRpcProtocol, RestrictionKind } from '@causeway/core/chain-kit'
import { readAnswer } from './answers.js'
import { isAddressWanted, isChainAnswer } from './rpcErrors.js'

/** Some public nodes show the logs of one contract at a time (faults.md F165). */
const LOGS_WITHOUT_ADDRESS: RestrictionKind = {
  says: 'refuses eth_getLogs without an address',
  cost: 'Blocks are read by their receipts, which takes more data; without eth_getBlockReceipts, deposits of tokens that are not configured cannot be found by it. Use a node or a plan without this limit.',
  concerns: ({ method, params }) => method === 'eth_getLogs' && Reflect.get(Object(params[0]), 'address') === undefined,
  shows: isAddressWanted,
}

/** JSON-RPC of an EVM node: known by its chain id, and a broadcast is never repeated unseen. */
export const evmProtocol = (chainId: number): JsonRpcProtocol => ({
  identify: {
    method: 'eth_chainId',
    params: [],
    matches: (result) => Number(result) === chainId,
    shown: (result) => String(Number(result)),
  },
  unrepeatable: new Set(['eth_sendRawTransaction']),
  read: readAnswer,
  isAnswer: isChainAnswer,
  restrictions: [LOGS_WITHOUT_ADDRESS],
})
