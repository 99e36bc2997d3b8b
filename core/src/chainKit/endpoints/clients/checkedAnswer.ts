import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ServiceError } from '../../../errors/serviceError.js'
import { transportError } from '../transportError.js'

/** Makes of what a node answered what it must be. Throws `strangeAnswer` where it is not. */
export type AnswerReader<T> = (answer: unknown) => T

/** Of a node whose answer is not what it must be, RPC_HTTP_ERROR: another one is asked. `what` is for operators. */
export const strangeAnswer = (what: string): ServiceError => transportError(new Error(`Strange answer: ${what}`), false)

/** A reader of answers that fit a schema. Amounts come as text or as whole numbers: no number with a point is one. */
export const answerOf =
  <Schema extends TSchema>(schema: Schema): AnswerReader<Static<Schema>> =>
  (answer) => {
    if (Value.Check(schema, answer)) return answer
    const [first] = Value.Errors(schema, answer)
    throw strangeAnswer(`${first?.path ?? ''} ${first?.message ?? 'does not fit'}`)
  }
