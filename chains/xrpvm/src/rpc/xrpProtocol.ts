import type { JsonRpcProtocol } from '@causeway/core/chain-kit'
import { isChainAnswer, readAnswer } from './answers.js'
import { readServerInfo } from './serverInfo.js'
import { xrpDialect } from './xrpDialect.js'

/** How a node of one network is spoken to, and told from those of others by its network id. */
export const xrpProtocol = (networkId: number): JsonRpcProtocol => ({
  identify: {
    method: 'server_info',
    params: [],
    matches: (result) => readServerInfo(result).networkId === networkId,
    shown: (result) => String(readServerInfo(result).networkId),
  },
  unrepeatable: new Set(['submit']),
  dialect: xrpDialect,
  read: readAnswer,
  isAnswer: isChainAnswer,
})
