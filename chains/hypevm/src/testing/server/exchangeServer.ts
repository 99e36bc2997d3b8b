import { CallError, type NodeDialect, type NodeReply, type NodeRequest } from '@causeway/core/testing'
import { Refusal } from '../engine/refusal.js'
import { type Archive, explorerMethods } from './explorer.js'
import { INFO_METHODS } from './info.js'
import { badBody, type ExchangeNode, plainReply, type Request } from './request.js'
import { signedBodyOf } from './signedBody.js'
import { updatesSocket } from './updatesSocket.js'

const jsonReply = (value: unknown, status = 200): NodeReply => ({ status, body: JSON.stringify(value) })

/** JSON of a request. Returns an answer for another one. */
const bodyOf = ({ method, headers, body }: NodeRequest): Request | NodeReply => {
  if (method !== 'POST') return plainReply('', 405)
  if (!/^application\/(.+\+)?json/.test(headers['content-type'] ?? ''))
    return plainReply('Expected request with `Content-Type: application/json`', 415)
  try {
    return Object(JSON.parse(body))
  } catch {
    return plainReply('Failed to parse the request body as JSON', 400)
  }
}

const isReply = (read: Request | NodeReply): read is NodeReply => 'status' in read && 'body' in read

/** Executes an action. Refusals have the status 200 and no hash. */
const exchange = async ({ engine, run }: ExchangeNode, body: Request): Promise<NodeReply> => {
  const signed = signedBodyOf(body)
  try {
    await run('exchange', () => engine.submit(signed))
    return jsonReply({ status: 'ok', response: { type: 'default' } })
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof CallError)) throw error
    return jsonReply({ status: 'err', response: error.message })
  }
}

type Methods = Readonly<Record<string, (node: ExchangeNode, request: Request) => unknown>>

const call = async (node: ExchangeNode, methods: Methods, request: Request): Promise<NodeReply> => {
  const name = String(request.type)
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (method === undefined) throw badBody()
  return jsonReply(await node.run(name, () => method(node, request)))
}

const failureOf = ({ code, message }: CallError): NodeReply => {
  if (code === 429) return jsonReply({ type: 'error', message }, code)
  return code >= 400 && code < 600 ? plainReply(message, code) : jsonReply(null, 500)
}

/** One node of the exchange: `/exchange`, `/info`, `/explorer`, and a websocket. */
export const exchangeServer =
  (archive: Archive) =>
  (node: ExchangeNode): NodeDialect => {
    const explorer: Methods = explorerMethods(archive)
    const answer = (path: string, body: Request): NodeReply | Promise<NodeReply> => {
      if (path === '/exchange') return exchange(node, body)
      if (path === '/info') return call(node, INFO_METHODS, body)
      return path === '/explorer' ? call(node, explorer, body) : plainReply('', 404)
    }
    return {
      http: async (request) => {
        const body = bodyOf(request)
        if (isReply(body)) return body
        try {
          return await answer(request.path, body)
        } catch (error) {
          if (error instanceof CallError) return failureOf(error)
          throw error
        }
      },
      socket: updatesSocket(node),
    }
  }
