import { RpcFailure } from '../node/broadcast.js'
import { coreJson } from './coreJson.js'
import type { CoreMethod } from './coreMethods.js'
import { FaultedCall, type Faults } from './faults.js'

/** An HTTP answer. */
export interface CoreReply {
  readonly status: number
  readonly body: string
}

interface Call {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

const STATUSES: Readonly<Record<number, number>> = { [-32600]: 400, [-32601]: 404 }

/** Answers a body as Core does: single calls with an HTTP status by their outcome, batches and JSON-RPC 2.0 with 200. */
export const answerCore = (methods: Readonly<Record<string, CoreMethod>>, faults: Faults, body: string): CoreReply => {
  let calls: unknown
  try {
    calls = JSON.parse(body)
  } catch {
    return { status: 500, body: coreJson({ result: null, error: { code: -32700, message: 'Parse error' }, id: null }) }
  }
  if (!Array.isArray(calls)) {
    const { status, answer } = answerOne(methods, faults, calls)
    return { status, body: coreJson(answer, faults.amountStyle) }
  }
  const answers = calls.map((call) => answerOne(methods, faults, call).answer)
  return { status: 200, body: coreJson(answers, faults.amountStyle) }
}

const answerOne = (methods: Readonly<Record<string, CoreMethod>>, faults: Faults, request: unknown) => {
  // CAST: every field is checked before use; what is no object has none.
  const call = (typeof request === 'object' && request !== null ? request : {}) as Call
  const modern = call.jsonrpc === '2.0'
  const id = call.id ?? null
  try {
    const result = run(methods, faults, call) ?? null
    return { status: 200, answer: modern ? { jsonrpc: '2.0', result, id } : { result, error: null, id } }
  } catch (thrown) {
    const error = errorOf(thrown)
    const status = modern ? 200 : (STATUSES[error.code] ?? 500)
    return { status, answer: modern ? { jsonrpc: '2.0', error, id } : { result: null, error, id } }
  }
}

const run = (methods: Readonly<Record<string, CoreMethod>>, faults: Faults, { method, params = [] }: Call): unknown => {
  if (typeof method !== 'string') throw new RpcFailure(-32600, 'Method must be a string')
  const found = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (found === undefined) throw new RpcFailure(-32601, 'Method not found')
  if (!Array.isArray(params)) throw new RpcFailure(-32600, 'Params must be an array')
  return faults.run('rpc', method, () => found(...params))
}

const errorOf = (thrown: unknown): { readonly code: number; readonly message: string } => {
  if (thrown instanceof RpcFailure) return { code: thrown.code, message: thrown.message }
  if (!(thrown instanceof FaultedCall)) return { code: -1, message: thrown instanceof Error ? thrown.message : 'error' }
  if (thrown.fault.error === undefined) throw thrown
  return thrown.fault.error
}
