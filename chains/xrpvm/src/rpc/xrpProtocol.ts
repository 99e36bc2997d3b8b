import { checkedBy, type JsonRpcError, type JsonRpcProtocol, type RpcCall } from '@causeway/core/chain-kit'
import { readServerInfo } from './serverInfo.js'
import { xrpDialect } from './xrpDialect.js'
import { LACKING, METHODS } from './xrpNode.js'

/** An answer of a server, if it fits its call: else another server is asked (faults.md F161). @throws ServiceError RPC_HTTP_ERROR */
export const readAnswer = checkedBy(METHODS)

/** Words by which a server answers: what is not in the ledger, what it does not have of it, a bad argument. */
const ANSWERS: ReadonlySet<string> = new Set([
  ...['actMalformed', 'actNotFound', 'dstActMalformed', 'dstActNotFound', 'entryNotFound', 'invalidLgrRange'],
  ...['invalidParams', 'invalidTransaction', 'issueMalformed', 'lgrIdxMalformed', 'lgrIdxsInvalid', 'lgrNotFound'],
  ...['objectNotFound', 'srcActMalformed', 'srcActNotFound', 'txnNotFound'],
])

/** Methods that a server may lack: payments are judged by what the accounts show then. */
const OPTIONAL_METHODS: ReadonlySet<string> = new Set(['simulate', 'deposit_authorized'])

/** Whether an error says that a server does not serve a command. */
export const isLacking = ({ message }: Pick<JsonRpcError, 'message'>): boolean => LACKING.includes(message)

/** Whether a word answers a call. Any other error of a server is its own refusal (faults.md F162). */
export const isChainAnswer = ({ message }: JsonRpcError, { method }: RpcCall): boolean =>
  ANSWERS.has(message) || (OPTIONAL_METHODS.has(method) && isLacking({ message }))

/** Requests and answers of the servers of one network, which its network id identifies. */
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
