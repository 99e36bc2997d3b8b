import { describeError, type LoggedError, redactErrorMessage } from '@causeway/core/host'

/** Errors whose message was written for the operator; it is shown as it is. */
const FOR_PEOPLE = new Set([
  'ConfigError',
  'DatabaseUnavailableError',
  'WrongClockError',
  'WrongDatabaseError',
  'UnconfiguredError',
  'ListenError',
  'SandboxError',
  'SandboxMissingError',
  'TracingMissingError',
  'UsageError',
  'InvalidKeyError',
  'KeystoreError',
  'MissingKeyError',
  'PostgresUnavailableError',
  'ActionRefusedError',
  'BackupError',
  'HostsAtWorkError',
  'DataFolderCopyError',
  'SetupError',
  'DeployError',
  'DeployLockedError',
  'JournalError',
  'PackageError',
])

/** Something on the command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const causesOf = (cause: LoggedError | undefined): readonly string[] =>
  cause === undefined ? [] : [`  because: ${cause.message}`, ...causesOf(cause.cause)]

/** What the command line prints of an error: plain sentences, no secret, a stack only for who asked for it. */
export const plainError = (error: unknown, { stack }: { readonly stack: boolean }): string => {
  const logged = describeError(error, { stack })
  const message =
    error instanceof Error && FOR_PEOPLE.has(error.name) ? error.message : redactErrorMessage(logged.message)
  return [message, ...causesOf(logged.cause), ...(logged.stack === undefined ? [] : [logged.stack])].join('\n')
}
