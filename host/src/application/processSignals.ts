import type { Logger } from 'pino'

/** Logs an error nobody caught, without its secrets, and ends the process: what it was doing is taken up by the next start. */
const onFatalError = (log: Logger): (() => void) => {
  const handle = (error: unknown) => {
    log.fatal({ err: error }, 'an error nobody expected; the process ends')
    process.exit(1)
  }
  process.on('uncaughtException', handle)
  return () => process.removeListener('uncaughtException', handle)
}

/** Stops on the first SIGINT or SIGTERM; a second one ends the process at once with code 1. Returns the way to undo it. */
export const onStopSignal = (log: Logger, stop: () => Promise<void>): (() => void) => {
  let stopping = false
  const handle = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping; a second signal ends the process at once')
    stop().then(
      () => process.exit(process.exitCode ?? 0),
      (error: unknown) => {
        log.error({ err: error }, 'the stop failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  const forgetFatal = onFatalError(log)
  return () => {
    forgetFatal()
    process.removeListener('SIGINT', handle)
    process.removeListener('SIGTERM', handle)
  }
}
