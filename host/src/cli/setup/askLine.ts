import { createInterface } from 'node:readline/promises'
import { UsageError } from '../plainError.js'

/** Asks on the terminal. @throws UsageError where nobody can answer */
export const askLine = async (question: string, flag: string): Promise<string> => {
  if (process.stdin.isTTY !== true)
    throw new UsageError(`${question} cannot be asked here: this is no terminal. Give ${flag}.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(`${question} `)).trim()
  } finally {
    terminal.close()
  }
}

/** Only "y" and "yes" agree. @throws UsageError where nobody can answer */
export const askYesOrNo = async (question: string): Promise<boolean> =>
  /^y(es)?$/i.test(await askLine(`${question} [y/N]`, '--yes'))
