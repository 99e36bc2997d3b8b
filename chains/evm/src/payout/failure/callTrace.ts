import type { Hex } from '@causeway/core'

/** A call as `debug_traceCall` shows it with `callTracer`. */
export interface TracedCall {
  readonly type: string
  readonly to?: string
  readonly input?: string
  readonly output?: string
  readonly gasUsed?: string
  readonly error?: string
  readonly calls?: readonly TracedCall[]
  readonly logs?: readonly TracedLog[]
}

/** A log as traces and `eth_simulateV1` show it. */
export interface TracedLog {
  readonly topics?: readonly string[]
  readonly data?: string
}

/** Calls of a trace that are looked at; a hostile callee may make any number. */
const MAX_CALLS = 20_000

/** Calls of a path that are shown: the outermost and the innermost ones of a deeper one. */
const MAX_FRAMES = 24
const OUTERMOST = 8

/**
 * From the transaction to the call that made it fail. A call belongs to it where what it called last failed and it did not survive that; what
 * it caught and went on from is none of its reasons. Without recursion: a callee may call itself a thousand times.
 */
export const failedPath = (root: TracedCall): readonly TracedCall[] => {
  const path: TracedCall[] = []
  let call: TracedCall | undefined = root
  while (call !== undefined) {
    path.push(call)
    call = causeOf(call)
  }
  return path
}

/** Every log of a trace, in no order that matters; of what was undone none. */
export const logsOf = (root: TracedCall): readonly TracedLog[] => {
  const logs: TracedLog[] = []
  visit(root, (call) => {
    if (call.error === undefined) logs.push(...(call.logs ?? []))
    return call.error === undefined
  })
  return logs
}

/** The path to the last call that failed while its caller went on; null: none did. */
export const survivedFailure = (root: TracedCall): readonly TracedCall[] | null => {
  let found: readonly TracedCall[] | null = null
  visit(root, (call, above) => {
    if (call.error !== undefined) found = [...above, ...failedPath(call)]
    return call.error === undefined
  })
  return found
}

/** Visits calls as they were made, and those within where it answers true; `above` are the calls around one. */
const visit = (root: TracedCall, look: (call: TracedCall, above: readonly TracedCall[]) => boolean): void => {
  const waiting = [{ call: root, above: [] as readonly TracedCall[] }]
  for (let seen = 0; seen < MAX_CALLS; seen += 1) {
    const next = waiting.pop()
    if (next === undefined) return
    if (!look(next.call, next.above)) continue
    const above = [...next.above, next.call]
    for (const call of (next.call.calls ?? []).toReversed()) waiting.push({ call, above })
  }
}

/** The first and the last calls of a path. */
export const shortened = <T>(path: readonly T[]): readonly T[] =>
  path.length <= MAX_FRAMES ? path : [...path.slice(0, OUTERMOST), ...path.slice(OUTERMOST - MAX_FRAMES)]

const outputOf = ({ output }: TracedCall): string => (output === undefined ? '0x' : output)

/**
 * The last call within that failed, where its answer is handed on, whole or within another error, or nothing was called after it. What
 * ran out of gas has no answer.
 */
const causeOf = (call: TracedCall): TracedCall | undefined => {
  const { calls = [] } = call
  const at = calls.findLastIndex(({ error }) => error !== undefined)
  const failed = calls[at]
  if (failed === undefined) return undefined
  const [own, inner] = [outputOf(call), outputOf(failed)]
  const isHandedOn = inner.length > 2 && own.includes(inner.slice(2, 2 + 64))
  return isHandedOn || at === calls.length - 1 ? failed : undefined
}

/** The bytes that a call answered. */
export const revertDataOfCall = (call: TracedCall): Hex => {
  const output = outputOf(call)
  return /^0x[0-9a-fA-F]*$/.test(output.slice(0, 66)) ? (output as Hex) : '0x'
}

export const isOutOfGas = ({ error = '' }: TracedCall): boolean => /out of gas/i.test(error)

/** Whether an answer has the form of a trace, as far as it is read. */
export const isTracedCall = (value: unknown): value is TracedCall =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string'
