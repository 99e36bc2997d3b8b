import type { JsonRpcError } from '../jsonRpcErrors.js'
import type { RpcCall } from '../rpcCall.js'

/** The part of an exchange that has a limit in bytes. */
export type SizedPart = 'request' | 'answer'

const TOO_MUCH = '(too (large|big|long)|exceed|larger than|greater than|bigger than|limit)'
const REQUEST_TEXT = new RegExp(
  `(request|body|payload|content|entity|message)( entity| body| content)?( size| length)?.{0,20}${TOO_MUCH}`,
  'i',
)
const ANSWER_TEXT = new RegExp(
  `(response|result|answer|output|reply)s?( set| body)?( size| length)?.{0,20}${TOO_MUCH}`,
  'i',
)
/** Rates and quotas are limits of another kind. */
const RATE_TEXT = /rate|per second|\/second|daily|quota|too many requests|request count|requests? limit/i

/** The part that an error calls too large; null where it says nothing of a size. */
export const tooLargePart = ({ message }: Pick<JsonRpcError, 'message'>): SizedPart | null => {
  if (RATE_TEXT.test(message)) return null
  if (ANSWER_TEXT.test(message)) return 'answer'
  return REQUEST_TEXT.test(message) && !/batch/i.test(message) ? 'request' : null
}

/** Characters of a request for one call; the text around the parameters counts as this many. */
const AROUND_CALL = 60

/** Characters that a call takes in a request. */
export const requestSize = ({ method, params }: RpcCall): number =>
  AROUND_CALL + method.length + JSON.stringify(params).length

/** How fast the expected size of an answer falls to that of smaller ones. */
const DECAY = 0.9

/** Characters that answers took lately, by method, so that a batch is divided before its answer is too large. */
export class AnswerSizes {
  readonly #expected = new Map<string, number>()

  /** Notes the whole length of the answer to calls: each took an equal part of it. */
  note(calls: readonly RpcCall[], length: number): void {
    const each = Math.ceil(length / Math.max(1, calls.length))
    for (const { method } of calls) {
      const known = this.#expected.get(method) ?? 0
      this.#expected.set(method, Math.max(each, Math.floor(known * DECAY)))
    }
  }

  /** Characters that the answer to a call is expected to take; 0 for a method that was not asked for yet. */
  of({ method }: RpcCall): number {
    return this.#expected.get(method) ?? 0
  }
}
