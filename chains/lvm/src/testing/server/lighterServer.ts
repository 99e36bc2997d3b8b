import { CallError, type LedgerNode, METHOD_MISSING, type NodeDialect, type NodeReply } from '@causeway/core/testing'
import type { Block, LedgerTx } from '../engine/ledgerTx.js'
import type { LighterLedger } from '../engine/lighterLedger.js'
import { Refusal } from '../engine/refusal.js'
import { accountRoutes } from './accountRoutes.js'
import { blockRoutes } from './blockRoutes.js'
import { Exchange, type Routes } from './exchange.js'
import { Params } from './params.js'
import { transactionRoutes } from './transactionRoutes.js'

const PATH = '/api/v1/'
const OTHER_PATHS: Readonly<Record<string, string>> = { '/': 'status', '/info': 'info' }
const POSTED = 'sendTx'
const TOO_MANY_REQUESTS = 23_000

/** A server that speaks as the exchange's REST API does. */
export const lighterServer = ({ engine, view, run }: LedgerNode<LedgerTx, Block, LighterLedger>): NodeDialect => {
  const exchange = new Exchange(engine, view)
  const routes: Routes = { ...accountRoutes(exchange), ...transactionRoutes(exchange), ...blockRoutes(exchange) }
  return {
    http: async ({ method, path, query, headers, body }) => {
      const name = OTHER_PATHS[path] ?? (path.startsWith(PATH) ? path.slice(PATH.length) : '')
      const route = Object.hasOwn(routes, name) ? routes[name] : undefined
      if (route === undefined || (method === 'POST') !== (name === POSTED)) return missing()
      const params = new Params(name === POSTED ? new URLSearchParams(body) : query)
      const token = headers.authorization ?? params.all.get('auth') ?? ''
      try {
        return json({ code: 200, ...(await run(name, () => route({ params, token }))) })
      } catch (error) {
        return refused(error)
      }
    },
  }
}

const json = (answer: object, status = 200): NodeReply => ({ status, body: JSON.stringify(answer) })

const missing = (): NodeReply => json({ code: 404, message: 'not found' }, 404)

const refused = (error: unknown): NodeReply => {
  if (error instanceof CallError && error.code === METHOD_MISSING) return missing()
  if (!(error instanceof Refusal || error instanceof CallError)) throw error
  const { code, message } = error
  if (code >= 400 && code < 600) return json({ code, message }, code)
  return json({ code, message }, code === TOO_MANY_REQUESTS ? 429 : 400)
}
