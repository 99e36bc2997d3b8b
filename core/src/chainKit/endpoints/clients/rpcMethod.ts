import { type AnswerReader, answersByMethod, strangeAnswer } from './checkedAnswer.js'
import type { JsonRpcEndpoint } from './jsonRpcEndpoint.js'
import { RpcResponseError } from './jsonRpcErrors.js'
import { resultOf } from './jsonRpcNode.js'
import type { RpcCall } from './rpcCall.js'

/** A client, or one endpoint of it. */
export type AskedNode = Pick<JsonRpcEndpoint, 'batch'>

/** A method of a chain's nodes: how a question is written, and what its answer must be. */
export interface RpcMethod<Question, Answer> {
  readonly method: string
  readonly params: (question: Question) => readonly unknown[]
  /** @throws ServiceError RPC_HTTP_ERROR (`strangeAnswer`) for a result of another shape */
  readonly read: AnswerReader<Answer>
  /** Messages of errors by which a node says that the chain has no such thing. */
  readonly missing?: readonly string[]
  /**
   * Members of the answer that repeat a member of the first parameter, as `{ 'account_data.Account': 'account' }`: another value is of another
   * question. Texts are compared without case; values of different types, such as a height and "latest", are not compared.
   */
  readonly repeats?: Readonly<Record<string, string>>
}

/** A method of any question: only its answers are read here. */
type AnyMethod = Omit<RpcMethod<never, unknown>, 'params'>

/** `AnswerRules.read` of a chain whose methods are these: an answer that does not fit its call is the failure of its node (faults.md F161). */
export const checkedBy = (methods: readonly AnyMethod[]) => {
  const check = answersByMethod(Object.fromEntries(methods.map(({ method, read }) => [method, read])))
  const repeated = new Map(methods.map(({ method, repeats = {} }) => [method, Object.entries(repeats)]))
  return (answer: unknown, call: RpcCall): unknown => {
    check(answer, call)
    for (const [shown, asked] of repeated.get(call.method) ?? [])
      if (differ(valueAt(answer, shown), valueAt(call.params[0], asked)))
        throw strangeAnswer('another thing than the one asked for')
    return answer
  }
}

const valueAt = (json: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value === undefined ? value : Object(value)[name]), json)

const differ = (shown: unknown, asked: unknown): boolean =>
  typeof shown === typeof asked && String(shown).toUpperCase() !== String(asked).toUpperCase()

/** Answers of one node in the order asked, in one batch; null for what the chain does not have. @throws ServiceError when the node does not answer */
export const findAllAtNode = async <Question, Answer>(
  node: AskedNode,
  { method, params, read, missing = [] }: RpcMethod<Question, Answer>,
  questions: readonly Question[],
): Promise<readonly (Answer | null)[]> => {
  if (questions.length === 0) return []
  const outcomes = await node.batch(questions.map((question) => ({ method, params: params(question) })))
  return questions.map((_, at) => {
    const outcome = outcomes[at]
    return outcome?.ok === false && missing.includes(outcome.error.message) ? null : read(resultOf(outcome, method))
  })
}

/** The answer of one node; null where the chain does not have it. @throws ServiceError when the node does not answer */
export const findAtNode = async <Question, Answer>(
  node: AskedNode,
  method: RpcMethod<Question, Answer>,
  question: Question,
): Promise<Answer | null> => (await findAllAtNode(node, method, [question]))[0] ?? null

/** The answer of one node. @throws RpcResponseError where the chain does not have it */
export const askNode = async <Question, Answer>(
  node: AskedNode,
  method: RpcMethod<Question, Answer>,
  question: Question,
): Promise<Answer> => {
  const answer = await findAtNode(node, method, question)
  if (answer === null) throw new RpcResponseError(method.method, { code: -1, message: 'There is none' })
  return answer
}
