import { setImmediate } from 'node:timers/promises'

/** Entries that are read in one turn. */
const IN_ONE_TURN = 500

/** Calls `read` with each entry and lets other work run in between: lists are long. */
export const forEachEntry = async (entries: readonly unknown[], read: (entry: unknown) => void): Promise<void> => {
  for (const [at, entry] of entries.entries()) {
    if (at % IN_ONE_TURN === IN_ONE_TURN - 1) await setImmediate()
    read(entry)
  }
}
