import { type DestinationStream, type Level, type Logger, pino } from 'pino'
import { describeError } from './errorLog.js'
import { prettyLine } from './prettyLine.js'
import { redactText } from './redact.js'

export interface LoggerOptions {
  readonly level: Level | 'silent'
  /** Default: standard output, buffered, written within a second and at exit. */
  readonly destination?: DestinationStream
  /** One readable line per entry instead of JSON. */
  readonly pretty?: boolean
  /** Texts that must never show, for example the path of an RPC URL. Shorter than 6 characters are ignored. */
  readonly secrets?: readonly string[]
}

/** Serializers of error-like fields: type, redacted message and place; the stack only with `stack`. */
export const redactingSerializers = (options: {
  readonly stack: boolean
}): Record<string, (value: unknown) => unknown> => {
  const serialize = (value: unknown): unknown => (value instanceof Error ? describeError(value, options) : value)
  return { err: serialize, error: serialize, cause: serialize, reason: serialize }
}

const MIN_SECRET = 6

const redactor = (secrets: readonly string[]): ((line: string) => string) => {
  const literals = secrets.filter((secret) => secret.length >= MIN_SECRET)
  if (literals.length === 0) return redactText
  return (line) => redactText(literals.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line))
}

/**
 * The process's logger. Every line passes the redactor as a whole before it is written, so what a caller forgot to
 * strip (a URL in a nested field, a header) does not reach the log either (faults.md F96). Stacks are logged at level
 * debug and below only.
 */
export const createLogger = (options: LoggerOptions): Logger => {
  const output = options.destination ?? pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 1000 })
  const destination = options.pretty ? { write: (line: string) => void output.write(prettyLine(line)) } : output
  return pino(
    {
      level: options.level,
      base: {},
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: redactingSerializers({ stack: options.level === 'debug' || options.level === 'trace' }),
      hooks: { streamWrite: redactor(options.secrets ?? []) },
    },
    destination,
  )
}
