import {
  boundedJson,
  type JsonRpcError,
  type RpcDialect,
  type RpcOutcome,
  type SocketDialect,
  strangeAnswer,
} from '@causeway/core/chain-kit'

/** Pinned in every request: version 1 keeps the fields of a transaction flat (chains.md xrpvm 4). */
const API_VERSION = 2

/** Why a server answers with an error, as `error` names it; `data` is all that it said. */
const errorOf = (result: object): JsonRpcError => ({
  code: numberOr(Reflect.get(result, 'error_code'), -1),
  message: wordOr(Reflect.get(result, 'error'), '').slice(0, 1000),
  data: boundedJson(result),
})

const numberOr = (value: unknown, absent: number): number => (typeof value === 'number' ? value : absent)

const wordOr = (value: unknown, absent: string): string => (typeof value === 'string' ? value : absent)

/** JSON-RPC as servers of the XRP Ledger speak it over HTTP: one object of parameters, one call a request, errors within the result. */
export const xrpDialect: RpcDialect = {
  write: ({ method, params: [fields] }) => ({ method, params: [{ ...Object(fields), api_version: API_VERSION }] }),
  read: (answer): RpcOutcome => {
    const result: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'result') : undefined
    if (typeof result !== 'object' || result === null) throw strangeAnswer('no result')
    const failed = Reflect.get(result, 'status') === 'error' || Reflect.has(result, 'error')
    return failed ? { ok: false, error: errorOf(result) } : { ok: true, result }
  },
}

/** Places of the subscriptions that are held. */
export const LEDGERS = 0
export const TRANSACTIONS = 1

/** The same over a websocket, where the server tells of ledgers and transactions besides. */
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
