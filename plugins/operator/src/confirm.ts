import { createInterface } from 'node:readline/promises'
import { ActionRefusedError } from '@causeway/core/plugin'

/** Asks on the terminal; only a full `yes` counts. Throws ActionRefusedError where nobody can answer. */
export const confirmOnTerminal = async (question: string): Promise<boolean> => {
  if (!process.stdin.isTTY) throw new ActionRefusedError(`${question} Nobody can answer here: add --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(`${question} (yes/no) `)).trim().toLowerCase() === 'yes'
  } finally {
    terminal.close()
  }
}
