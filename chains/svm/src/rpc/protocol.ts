import type { JsonRpcProtocol } from '@causeway/core/chain-kit'
import { readAnswer } from './answers.js'
import { isChainAnswer } from './rpcErrors.js'

/** JSON-RPC of a Solana node: known by the hash of its genesis, and a broadcast is never repeated unseen. */
export const svmProtocol = (genesisHash: string): JsonRpcProtocol => ({
  identify: { method: 'getGenesisHash', params: [], matches: (result) => result === genesisHash },
  unrepeatable: new Set(['sendTransaction', 'requestAirdrop']),
  read: readAnswer,
  isAnswer: isChainAnswer,
})
