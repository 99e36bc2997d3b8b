import { compileNext } from '@causeway/core/plugin'
import type { Logger } from 'pino'

/** A process that has just started answers those who waited for it; one that lives for seconds needs few of them. */
const START_MS = 30_000
const PAUSE_MS = 10

/** Compiles the schemas that no request has needed yet, one at a time between other work. */
export const compileSchemas = (log: Logger): void => {
  const step = (): void => {
    try {
      if (compileNext()) setTimeout(step, PAUSE_MS).unref()
    } catch (error) {
      log.error({ err: error }, 'A route has a schema that cannot be used; requests to it fail')
      setTimeout(step, PAUSE_MS).unref()
    }
  }
  setTimeout(step, START_MS).unref()
}
