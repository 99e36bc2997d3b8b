import { transportError } from '../../transportError.js'
import type { RpcCall, RpcOutcome } from '../rpcCall.js'
import { boundedJson } from './boundedJson.js'

/** Characters of an error's message that are read. */
const MOST_MESSAGE = 4_000

/** The outcome of each call; an error that belongs to none of several answers all. Throws ServiceError when one is missing. */
export const readAnswers = (parsed: unknown, first: number, calls: readonly RpcCall[]): RpcOutcome[] => {
  const answers = new Map<unknown, object>()
  const list = listOf(parsed)
  for (const answer of list) {
    if (typeof answer === 'object' && answer !== null) answers.set(Reflect.get(answer, 'id') ?? null, answer)
  }
  const whole = isOneError(parsed) ? Object(list[0]) : null
  return calls.map((_, at) => readAnswer(answers.get(first + at) ?? whole))
}

const listOf = (parsed: unknown): readonly unknown[] => (Array.isArray(parsed) ? parsed : [parsed])

/** Whether an answer is one error, whatever call it names: it is about all of them. */
export const isOneError = (parsed: unknown): boolean => {
  const [only, ...others] = listOf(parsed)
  const error: unknown = typeof only === 'object' && only !== null ? Reflect.get(only, 'error') : null
  return others.length === 0 && typeof error === 'object' && error !== null
}

const readAnswer = (answer: object | null): RpcOutcome => {
  if (answer === null) throw transportError(new Error('An answer of the batch is missing'), false)
  const error: unknown = Reflect.get(answer, 'error')
  if (typeof error === 'object' && error !== null) {
    const data = boundedJson(Reflect.get(error, 'data'))
    const code = Number(plain(Reflect.get(error, 'code')))
    const message = String(plain(Reflect.get(error, 'message')) ?? '').slice(0, MOST_MESSAGE)
    return { ok: false, error: data === undefined ? { code, message } : { code, message, data } }
  }
  if (!('result' in answer)) throw transportError(new Error('Not a JSON-RPC answer'), false)
  return { ok: true, result: answer.result }
}

/** A value that becomes a number or a text without surprise: an object of JSON may shadow how it does. */
const plain = (value: unknown): unknown => (typeof value === 'object' ? null : value)
