import type { Logger } from 'pino'

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
  return () => {
    process.removeListener('SIGINT', handle)
    process.removeListener('SIGTERM', handle)
  }
}
