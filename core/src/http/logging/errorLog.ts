import { redactErrorMessage } from './redact.js'

/** What a log line shows of an error. */
export interface LoggedError {
  readonly type: string
  readonly message: string
  readonly code?: string
  /** Function, file and line that threw; the whole stack only where asked for. */
  readonly at?: string
  readonly stack?: string
  readonly cause?: LoggedError
}

const MAX_MESSAGE = 2_000
const MAX_CAUSES = 5

const frameOf = (stack: string | undefined): string | undefined => {
  const frame = stack?.split('\n').find((line) => /^\s+at /.test(line) && !line.includes('node:'))
  const parts = frame?.match(
    /^\s+at (?:async )?(?:(?<name>[\w.<>$# ]+?) (?:\[as [^\]]*\] )?\()?.*?(?<file>[^/\\(]+:\d+):\d+\)?$/,
  )
  if (!parts?.groups) return undefined
  return [parts.groups.name, parts.groups.file].filter((part) => part !== undefined).join(' ')
}

/** Strips the message from the top of a stack, leaving the frames. */
const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')

/**
 * The loggable part of an error: type, redacted message, code, where it was thrown and its causes. Other fields stay
 * behind, since drivers and clients put statements, URLs and headers there.
 */
export const describeError = (
  error: unknown,
  options: { readonly stack: boolean },
  depth = MAX_CAUSES,
): LoggedError => {
  if (!(error instanceof Error))
    return { type: typeof error, message: redactErrorMessage(String(error)).slice(0, MAX_MESSAGE) }
  const code: unknown = Reflect.get(error, 'code')
  const at = frameOf(error.stack)
  const cause = error instanceof AggregateError ? error.errors[0] : error.cause
  return {
    type: error.name,
    message: redactErrorMessage(error.message).slice(0, MAX_MESSAGE),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(at === undefined ? {} : { at }),
    ...(options.stack && error.stack !== undefined ? { stack: framesOf(error.stack) } : {}),
    ...(cause === undefined || depth <= 1 ? {} : { cause: describeError(cause, options, depth - 1) }),
  }
}
