import { CallError, FaultedCall, type NodeReply } from '@causeway/core/testing'
import { coreJson } from './coreJson.js'
import type { CoreMethod } from './coreMethods.js'
import type { Faults } from './faults.js'

interface Call {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

const STATUSES: Readonly<Record<number, number>> = { [-32600]: 400, [-32601]: 404 }

/** Answers a body as Core does: single calls with an HTTP status by their outcome, batches and JSON-RPC 2.0 with 200. */
export const answerCore = async (
  methods: Readonly<Record<string, CoreMethod>>,
  faults: Faults,
  body: string,
): Promise<NodeReply> => {
  let calls: unknown
  try {
    calls = JSON.parse(body)
  } catch {
    return { status: 500, body: coreJson({ result: null, error: { code: -32700, message: 'Parse error' }, id: null }) }
  }
  if (!Array.isArray(calls)) {
    const { status, answer } = await answerOne(methods, faults, calls)
    return { status, body: coreJson(answer, faults.amountStyle) }
  }
  const answers = await Promise.all(calls.map((call) => answerOne(methods, faults, call)))
  const list = answers.map(({ answer }) => answer)
  return { body: coreJson(list, faults.amountStyle) }
}

const answerOne = async (methods: Readonly<Record<string, CoreMethod>>, faults: Faults, request: unknown) => {
  // CAST: every field is checked before use; what is no object has none.
  const call = (typeof request === 'object' && request !== null ? request : {}) as Call
  const modern = call.jsonrpc === '2.0'
  const id = call.id ?? null
  try {
    const result = (await run(methods, faults, call)) ?? null
    return { status: 200, answer: modern ? { jsonrpc: '2.0', result, id } : { result, error: null, id } }
  } catch (thrown) {
    const error = errorOf(thrown)
    const status = modern ? 200 : (STATUSES[error.code] ?? 500)
    return { status, answer: modern ? { jsonrpc: '2.0', error, id } : { result: null, error, id } }
  }
}

const run = async (
  methods: Readonly<Record<string, CoreMethod>>,
  faults: Faults,
  { method, params = [] }: Call,
): Promise<unknown> => {
  if (typeof method !== 'string') throw new CallError(-32600, 'Method must be a string')
  const found = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (found === undefined) throw new CallError(-32601, 'Method not found')
  if (!Array.isArray(params)) throw new CallError(-32600, 'Params must be an array')
  return faults.of('rpc')(method, () => found(...params))
}

const errorOf = (thrown: unknown): { readonly code: number; readonly message: string } => {
  if (thrown instanceof FaultedCall) throw thrown
  if (thrown instanceof CallError) return { code: thrown.code, message: thrown.message }
  return { code: -1, message: thrown instanceof Error ? thrown.message : 'error' }
}
