import {
  boundedJson,
  type JsonRpcError,
  type RpcDialect,
  type RpcOutcome,
  type SocketDialect,
  type StreamParts,
  strangeAnswer,
} from '@causeway/core/chain-kit'
import { memberOf } from './fields.js'
import { readClosed } from './ledgerHead.js'

/** Pinned in every request: version 1 keeps the fields of a transaction flat (chains.md xrpvm 4). */
const API_VERSION = 2

/** Why a server answers with an error, as `error` names it; `data` is all that it said. */
const errorOf = (result: object): JsonRpcError => {
  const [code, message] = [memberOf(result, 'error_code'), memberOf(result, 'error')]
  return {
    code: typeof code === 'number' ? code : -1,
    message: typeof message === 'string' ? message.slice(0, 1000) : '',
    data: boundedJson(result),
  }
}

/** JSON-RPC as servers of the XRP Ledger speak it over HTTP: one object of parameters, one call a request, errors within the result. */
export const xrpDialect: RpcDialect = {
  write: ({ method, params: [fields] }) => ({ method, params: [{ ...Object(fields), api_version: API_VERSION }] }),
  read: (answer): RpcOutcome => {
    const result = memberOf(answer, 'result')
    if (typeof result !== 'object' || result === null) throw strangeAnswer('no result')
    const failed = Reflect.get(result, 'status') === 'error' || Reflect.has(result, 'error')
    return failed ? { ok: false, error: errorOf(result) } : { ok: true, result }
  },
}

/** Places of the subscriptions that are held. */
export const LEDGERS = 0
export const TRANSACTIONS = 1

/** The same over a websocket, where the server also pushes ledgers and transactions. */
export const xrpSocketDialect = (): SocketDialect => ({
  write: ({ method, params: [fields] }, topic) => ({
    id: topic + 1,
    command: method,
    ...Object(fields),
    api_version: API_VERSION,
  }),
  read: (message) => {
    const [type, id]: unknown[] = [Reflect.get(message, 'type'), Reflect.get(message, 'id')]
    if (type === 'ledgerClosed') return { topic: LEDGERS, result: message }
    if (type === 'transaction') return { topic: TRANSACTIONS, result: message }
    if (type !== 'response' || typeof id !== 'number' || Reflect.get(message, 'status') !== 'success') return null
    return { accepted: id - 1 }
  },
})

/** Ledgers as they are validated, and hints of transactions of these accounts. */
export const xrpStream = (accounts: readonly string[]): StreamParts => ({
  dialect: xrpSocketDialect,
  topics: [
    { call: { method: 'subscribe', params: [{ streams: ['ledger'] }] }, headOf: readClosed },
    { call: { method: 'subscribe', params: [{ accounts }] } },
  ],
})
