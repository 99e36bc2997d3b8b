import { KindGuard, type Static, type TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { ServiceError } from '../../../errors/serviceError.js'
import { transportError } from '../transportError.js'
import type { RpcCall } from './rpcCall.js'

/** Makes of what a node answered what it must be. Throws `strangeAnswer` where it is not. */
export type AnswerReader<T> = (answer: unknown) => T

/** Of a node whose answer is not what it must be, RPC_HTTP_ERROR: another one is asked. `what` is for operators. */
export const strangeAnswer = (what: string): ServiceError => transportError(new Error(`Strange answer: ${what}`), false)

/**
 * A reader of answers that fit a schema; the schema is compiled once. A member that is null counts as absent where it is optional,
 * and an absent one as null where it may be null. Amounts come as text or as whole numbers: no number with a point is one.
 */
export const answerOf = <Schema extends TSchema>(schema: Schema): AnswerReader<Static<Schema>> => {
  let compiled: TypeCheck<Schema> | null = null
  return (answer) => {
    compiled ??= TypeCompiler.Compile(schema)
    if (compiled.Check(answer)) return answer
    const completed = nullsAsAbsent(schema, answer)
    if (compiled.Check(completed)) return completed
    const first = compiled.Errors(completed).First()
    throw strangeAnswer(`${first?.path ?? ''} ${first?.message ?? 'does not fit'}`)
  }
}

/** The same value with null left out of optional members and put into required ones that may be null. */
const nullsAsAbsent = (schema: TSchema, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (KindGuard.IsUnion(schema)) {
    const isOfKind = Array.isArray(value) ? KindGuard.IsArray : KindGuard.IsObject
    const option = schema.anyOf.find((each) => isOfKind(each))
    return option === undefined ? value : nullsAsAbsent(option, value)
  }
  if (KindGuard.IsArray(schema) && Array.isArray(value)) return value.map((item) => nullsAsAbsent(schema.items, item))
  if (!KindGuard.IsObject(schema) || Array.isArray(value)) return value
  const completed: Record<string, unknown> = { ...value }
  for (const [name, member] of Object.entries(schema.properties)) {
    const found = completed[name]
    const isOptional = KindGuard.IsOptional(member)
    if (found === null && isOptional) delete completed[name]
    else if (found !== undefined) completed[name] = nullsAsAbsent(member, found)
    else if (!isOptional && mayBeNull(member)) completed[name] = null
  }
  return completed
}

const mayBeNull = (schema: TSchema): boolean =>
  KindGuard.IsUnion(schema) && schema.anyOf.some((option) => KindGuard.IsNull(option))

/**
 * One reader for the answers of a node, made of those of each method. It throws what they throw, and Error for a method without a reader,
 * which each method needs.
 */
export const answersByMethod =
  (readers: Readonly<Record<string, (answer: unknown, params: readonly unknown[]) => unknown>>) =>
  (answer: unknown, { method, params }: RpcCall): unknown => {
    const read = readers[method]
    if (read === undefined) throw new Error(`There is no reader for the answers of ${method}`)
    return read(answer, params)
  }
