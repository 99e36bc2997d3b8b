import { callsOf } from './answerNotes.js'

/** Answer of a node over HTTP. */
export interface NodeAnswer {
  readonly status: number
  readonly type: string
  readonly body: Buffer
}

/** A node that answers otherwise than its kind should, though it can be reached. */
export interface OddNode {
  readonly what: string
  /**
   * @param question the body, or the path of a request without one
   * @param forward gives the answer of the real node behind it
   */
  answer(question: Buffer, forward: () => Promise<NodeAnswer>): Promise<NodeAnswer>
}

const JSON_TYPE = 'application/json'

const asJson = (status: number, value: unknown): NodeAnswer => ({
  status,
  type: JSON_TYPE,
  body: Buffer.from(JSON.stringify(value)),
})

/** Answers whose shape is not what a reader expects; a result of JSON-RPC, or all of a body of JSON, as `change` makes it. */
const strangeNode = (what: string, change: (result: unknown) => unknown): OddNode => ({
  what,
  answer: async (question, forward) => {
    const real = await forward()
    const parsed = parsedJson(real.body)
    if (parsed === undefined) return { ...real, body: Buffer.from('strange') }
    if (callsOf(question) === null) return asJson(real.status, change(parsed))
    const alter = (answer: unknown) =>
      typeof answer === 'object' && answer !== null && 'result' in answer
        ? { ...answer, result: change(answer.result) }
        : answer
    return asJson(real.status, Array.isArray(parsed) ? parsed.map(alter) : alter(parsed))
  },
})

const parsedJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Every value within, as `leaf` makes it; lists and objects keep their shape. */
const mapLeaves = (value: unknown, leaf: (value: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, leaf))
  if (typeof value !== 'object' || value === null) return leaf(value)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapLeaves(member, leaf)]))
}

/** Nodes whose answers have other shapes than they should. */
export const strangeNodes: readonly OddNode[] = [
  strangeNode('answers null', () => null),
  strangeNode('answers a text', () => 'strange'),
  strangeNode('answers an empty object', () => ({})),
  strangeNode('answers null within', (result) => mapLeaves(result, () => null)),
  strangeNode('answers texts within', (result) => mapLeaves(result, () => 'strange')),
]

/** An honest node that is asked while the chain moves: after its first answer about `text`, and before that arrives, `move` runs. */
export const movingNode = (text: string, move: () => Promise<void>): OddNode => {
  let moved = false
  return {
    what: 'is asked while the chain moves on',
    answer: async (question, forward) => {
      const answer = await forward()
      if (moved || !question.includes(text)) return answer
      moved = true
      await move()
      return answer
    },
  }
}

interface Refusal {
  readonly status: number
  readonly code: number
  readonly message: string
}

/** A node that refuses all calls alike; with `isOne`, a batch with one error. */
const refusingNode = (what: string, { status, code, message }: Refusal): OddNode => ({
  what,
  answer: async (question) => {
    const calls = callsOf(question)
    const error = { code, message }
    if (calls === null) return asJson(status === 200 ? 503 : status, { error })
    const errors = calls.list.map(({ id }) => ({ jsonrpc: '2.0', id, error }))
    return asJson(status, calls.batch ? errors : errors[0])
  },
})

/** Nodes that refuse whoever asks, for reasons that say nothing about the chain. */
export const refusingNodes: readonly OddNode[] = [
  refusingNode('wants another key', { status: 401, code: -32000, message: 'invalid project id' }),
  refusingNode('wants to be paid', { status: 402, code: -32000, message: 'payment required' }),
  refusingNode('forbids', { status: 403, code: -32000, message: 'not on the list' }),
  refusingNode('asks for less', { status: 429, code: -32000, message: 'slow down' }),
  refusingNode('has an inner fault', { status: 500, code: -32603, message: 'internal error' }),
  refusingNode('has no quota left', { status: 200, code: -32005, message: 'daily request count exceeded' }),
  refusingNode('does not serve the method', { status: 200, code: -32601, message: 'the method is not available' }),
]
