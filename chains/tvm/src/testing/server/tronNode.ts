import { CallError, type LedgerNode, METHOD_MISSING, type NodeDialect, type NodeReply } from '@causeway/core/testing'
import type { TronLedger } from '../engine/tronLedger.js'
import type { TronBlock, TronTx } from '../engine/tronTx.js'
import { accountMethods } from './accountMethods.js'
import { blockMethods } from './blockMethods.js'
import { callMethods } from './callMethods.js'
import type { Gate } from './gate.js'
import { gridAnswer } from './gridApi.js'
import { type Methods, Params } from './params.js'
import { TronView } from './tronView.js'

/** Methods of full nodes that a solidity node does not have. */
const WRITES = new Set(['createtransaction', 'triggersmartcontract', 'broadcasttransaction', 'broadcasthex'])

const replyOf = (value: unknown, status = 200): NodeReply => ({ status, body: JSON.stringify(value) })

/** Numbers as text, as `int64_as_string` asks for. */
const asText = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(asText)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asText(one)]))
}

/**
 * A node with the HTTP API of java-tron below `/wallet/` and `/walletsolidity/`, and the indexed one of TronGrid below `/v1/`. Faults name a
 * method by its path, such as `wallet/getnowblock`, and the indexed API by `v1`.
 */
export const tronNode =
  (gate: Gate) =>
  ({ engine, view, run }: LedgerNode<TronTx, TronBlock, TronLedger>): NodeDialect => {
    const [all, solid] = [new TronView(engine, view, false), new TronView(engine, view, true)]
    const methodsOf = (node: TronView): Methods => ({
      ...blockMethods(node),
      ...accountMethods(node),
      ...callMethods(node),
    })
    const served: Readonly<Record<string, Methods>> = { wallet: methodsOf(all), walletsolidity: methodsOf(solid) }
    const answer = async (request: Parameters<NodeDialect['http']>[0]): Promise<NodeReply> => {
      const [, api = '', name = ''] = request.path.split('/')
      if (api === 'v1') return replyOf(await run('v1', () => gridAnswer(all, solid, request)))
      const methods = served[api] ?? {}
      const isServed = Object.hasOwn(methods, name) && !(api === 'walletsolidity' && WRITES.has(name))
      const method = isServed ? methods[name] : undefined
      if (method === undefined) return replyOf({ Error: 'no such path' }, 404)
      const params = new Params(request)
      const value = await run(`${api}/${name}`, () => method(params))
      return replyOf(params.isText ? asText(value) : value)
    }
    return {
      http: async (request) => {
        try {
          gate.admit(request)
          return await answer(request)
        } catch (error) {
          return failureOf(error)
        }
      },
    }
  }

/** java-tron answers errors of a request with the status 200; a gateway in front of it has statuses of its own. */
const failureOf = (error: unknown): NodeReply => {
  if (error instanceof SyntaxError) {
    return replyOf({ Error: `class java.lang.IllegalArgumentException : ${error.message}` })
  }
  if (!(error instanceof CallError)) throw error
  if (error.code === METHOD_MISSING) return replyOf({ Error: 'this api is unavailable due to config' }, 404)
  const isStatus = error.code >= 400 && error.code < 600
  return replyOf({ Success: false, Error: error.message }, isStatus ? error.code : 503)
}
