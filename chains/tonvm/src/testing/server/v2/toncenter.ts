import { CallError, METHOD_MISSING, type NodeDialect, type NodeRequest, type RunCall } from '@causeway/core/testing'
import type { TonView } from '../tonView.js'
import { accountMethods } from './accountMethods.js'
import { blockMethods, type Method } from './blockMethods.js'
import { contractMethods } from './contractMethods.js'
import { Params } from './params.js'

export const TONCENTER_PATH = '/api/v2/'

/** One call, over JSON-RPC or by the path of its method. */
interface Call {
  readonly method: string
  readonly params: unknown
  readonly id?: unknown
}

const callOf = ({ method, path, query, body }: NodeRequest): Call => {
  const name = path.slice(TONCENTER_PATH.length)
  if (name === 'jsonRPC') {
    const { id = null, method: asked = '', params = {} } = Object(JSON.parse(body))
    return { id, method: String(asked), params }
  }
  return { method: name, params: method === 'POST' ? JSON.parse(body) : Object.fromEntries(query) }
}

/** API v2 of toncenter. */
export const toncenter = (node: TonView, run: RunCall): NodeDialect => {
  const methods: Readonly<Record<string, Method>> = {
    ...{ ...blockMethods(node), ...accountMethods(node), ...contractMethods(node) },
  }
  const answer = ({ method, params }: Call): Promise<unknown> => {
    const found = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (found === undefined) throw new CallError(422, 'Unknown method')
    return run(method, () => found(new Params(params)))
  }
  return {
    http: async (request) => {
      const call = callOf(request)
      const envelope = call.id === undefined ? {} : { jsonrpc: '2.0', id: call.id }
      try {
        return { body: JSON.stringify({ ok: true, result: await answer(call), ...envelope }) }
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        const status = error.code === METHOD_MISSING ? 422 : error.code
        const failed = { ok: false, error: error.message, code: status, ...envelope }
        return { status: status >= 400 && status < 600 ? status : 500, body: JSON.stringify(failed) }
      }
    },
  }
}
