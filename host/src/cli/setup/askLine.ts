import { createInterface } from 'node:readline/promises'
import { UsageError } from '../plainError.js'
import { processStreams, type SecretStreams } from '../secretInput.js'

/** Asks on the terminal. @throws UsageError where nobody can answer, or whoever was asked left */
export const askLine = async (
  question: string,
  flag: string,
  { input, output }: SecretStreams = processStreams,
): Promise<string> => {
  const last = question.split('\n').at(-1)
  if (input.isTTY !== true) throw new UsageError(`${last} cannot be asked here: this is no terminal. Give ${flag}.`)
  const terminal = createInterface({ input, output })
  const left = new AbortController()
  terminal.once('close', () => left.abort())
  try {
    return (await terminal.question(`${question} `, { signal: left.signal })).trim()
  } catch (error) {
    if (left.signal.aborted) throw new UsageError('No answer: nothing was done.')
    throw error
  } finally {
    terminal.close()
  }
}

/** Only "y" and "yes" agree. @throws UsageError where nobody can answer */
export const askYesOrNo = async (question: string): Promise<boolean> =>
  /^y(es)?$/i.test(await askLine(`${question} [y/N]`, '--yes'))
