import type { IncomingMessage } from 'node:http'

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: unknown
}

/** The calls of a JSON-RPC request; null for any other body. */
export const callsOf = (body: Buffer): { readonly batch: boolean; readonly list: readonly Call[] } | null => {
  const parsed = jsonOf(body)
  const list = Array.isArray(parsed) ? parsed : [parsed]
  const isCall = (item: unknown) => typeof Reflect.get(Object(item), 'method') === 'string'
  // CAST: every item has a method, and what it lacks is undefined.
  return list.length > 0 && list.every(isCall) ? { batch: Array.isArray(parsed), list: list as Call[] } : null
}

const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}

const callKey = ({ method, params }: Call): string => JSON.stringify([method, params])

/** What an endpoint answered, by question; calls of JSON-RPC are known whatever their id and whatever they are batched with. */
export class AnswerNotes {
  readonly #bodies = new Map<string, Buffer>()
  readonly #results = new Map<string, object>()

  keep({ method, url }: IncomingMessage, body: Buffer, answer: Buffer): void {
    const calls = callsOf(body)
    if (calls === null) {
      this.#bodies.set(`${method} ${url} ${body}`, answer)
      return
    }
    const answers = [jsonOf(answer)].flat()
    for (const call of calls.list) {
      const found = calls.batch ? answers.find((item) => Reflect.get(Object(item), 'id') === call.id) : answers[0]
      if (typeof found === 'object' && found !== null) this.#results.set(callKey(call), found)
    }
  }

  /** The answer that was kept; null where there is none to some of what is asked. */
  find({ method, url }: IncomingMessage, body: Buffer): Buffer | null {
    const calls = callsOf(body)
    if (calls === null) return this.#bodies.get(`${method} ${url} ${body}`) ?? null
    const answers = calls.list.map((call) => {
      const known = this.#results.get(callKey(call))
      return known === undefined ? null : { ...known, id: call.id }
    })
    return answers.includes(null) ? null : Buffer.from(JSON.stringify(calls.batch ? answers : answers[0]))
  }
}
