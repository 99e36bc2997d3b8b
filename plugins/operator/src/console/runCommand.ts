import { ServiceError } from '@causeway/core'
import { ActionRefusedError, type Command, type CommandInput, HttpError } from '@causeway/core/plugin'

/** What a command said. */
export interface Said {
  readonly lines: readonly string[]
  /** Why it failed after it had said something, for example that a check found a fault; null: it did not fail. */
  readonly refusal: string | null
}

/** Longest answer, characters. */
const MOST_TEXT = 8_388_608

const isRefusal = (error: unknown): error is Error =>
  ServiceError.is(error) || (error instanceof Error && error.name === ActionRefusedError.name)

/** Its own words: 503 where a part of the service or a chain does not answer now, else 409. */
const toHttp = (error: Error): HttpError => {
  const status = ServiceError.is(error) && error.status >= 500 ? 503 : 409
  return new HttpError(status, error.message, { cause: error })
}

/** Runs a command in this process and gives what it prints. @throws HttpError with the command's own words where it refuses */
export const runCommand = async (command: Command, input: Omit<CommandInput, 'print'>): Promise<Said> => {
  const lines: string[] = []
  let length = 0
  const print = (text: string): void => {
    length += text.length
    if (length > MOST_TEXT)
      throw new ActionRefusedError('The answer is too long; ask for less, or on the command line.')
    lines.push(...text.split('\n'))
  }
  try {
    await command.run({ ...input, print })
    return { lines, refusal: null }
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (command.console !== 'read' || lines.length === 0 || length > MOST_TEXT) throw toHttp(error)
    return { lines, refusal: error.message }
  }
}
