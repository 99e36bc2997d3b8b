import { context, createContextKey } from '@opentelemetry/api'
import { traceTime } from './traceTime.js'

/** A part of a longer work, with its times (of `traceTime`). */
export interface TracePhase {
  readonly name: string
  readonly startedAt: number
  readonly endedAt: number
  readonly failed: boolean
}

const PHASES = createContextKey('causeway phases')

/** Runs `work` and fills the list with what `tracePhase` measures inside; needs the context manager that tracing brings. */
export const collectPhases = <T>(phases: TracePhase[], work: () => Promise<T>): Promise<T> =>
  context.with(context.active().setValue(PHASES, phases), work)

/** Measures a part of a work whose phases are collected; only calls `work` where they are not. */
export const tracePhase = <T>(name: string, work: () => Promise<T>): Promise<T> => {
  // CAST: only collectPhases sets the key.
  const phases = context.active().getValue(PHASES) as TracePhase[] | undefined
  return phases === undefined ? work() : measure(phases, name, work)
}

const measure = async <T>(phases: TracePhase[], name: string, work: () => Promise<T>): Promise<T> => {
  const startedAt = traceTime()
  let failed = true
  try {
    const result = await work()
    failed = false
    return result
  } finally {
    phases.push({ name, startedAt, endedAt: traceTime(), failed })
  }
}
