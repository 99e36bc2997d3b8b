import { token } from '../container/tokens.js'
import type { Caller } from './access/integratorAuth.js'
import { PreparedJson } from './preparedJson.js'
import { isReply } from './reply.js'
import type { HandlerResult } from './route.js'

/** A call that was answered, or whose client left. */
export interface FinishedCall {
  /** The declared path, so the number of values is bounded. */
  readonly route: string
  readonly method: string
  /** 499 where the client left before its answer. */
  readonly status: number
  /** The `errorCode` of the answer's body; answers with status 400 only, and where they have one. */
  readonly errorCode: string | null
  /** Who called, also where a check refused the call after its key was read. */
  readonly caller: Caller
}

/** Told of each finished call of a declared route, after its answer. Must be quick. */
export interface CallObserver {
  finished(call: FinishedCall): void
}

/** Several plugins may add to them; each registers a list or one. */
export const CALL_OBSERVERS = token<readonly CallObserver[]>('core/CallObservers')

/** What becomes known of a call on its way. */
export interface CallFacts {
  caller: Caller
  errorCode: string | null
}

/** The `errorCode` in the body of an answer with status 400, else null. */
export const errorCodeOf = (result: HandlerResult): string | null => {
  if (!isReply(result) || result.status !== 400) return null
  const { body } = result
  const code: unknown = Reflect.get(PreparedJson.is(body) ? Object(JSON.parse(body.text)) : body, 'errorCode')
  return typeof code === 'string' ? code : null
}
