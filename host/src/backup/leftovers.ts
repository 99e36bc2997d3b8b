import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isAlive } from '@causeway/core/host'

/** As long as nothing was written to one, nobody is at work on it: neither pg_dump of a backup that was killed, nor another machine. */
const QUIET_MS = 60_000

/** What a backup is written to until it is whole. */
export const partialFile = (file: string): string => `${file}.partial-${process.pid}`

/**
 * Removes what earlier backups of this name left because they were killed, and says so; names what may still be written to. `now` in
 * milliseconds since 1970.
 */
export const removeLeftovers = (file: string, print: (line: string) => void, now = Date.now()): void => {
  const beginning = `${basename(file)}.partial-`
  for (const name of readdirSync(dirname(file))) {
    const pid = /^([0-9]+)(\.json)?$/.exec(name.startsWith(beginning) ? name.slice(beginning.length) : '')?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const place = join(dirname(file), name)
    if (now - statSync(place).mtimeMs < QUIET_MS) {
      print(`${place} is of a backup that was cut off just now; when nothing writes to it any more, remove it.`)
      continue
    }
    rmSync(place, { recursive: true, force: true })
    print(`Removed ${place}, which a backup that was cut off had left.`)
  }
}
