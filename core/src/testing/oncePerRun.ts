import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './until.js'

/** Folder of a test run, shared by its processes; the run's setup creates and removes it. */
export const TEST_RUN_VARIABLE = 'CAUSEWAY_TEST_RUN'

/**
 * Returns a folder with files that several tests of a run need and no test changes. The first caller of a name makes the files,
 * later callers wait for at most `milliseconds`. Outside a test run each call makes a folder
 * of its own, which is removed when the process exits.
 * @throws Error if `make` failed, here or in the process that called first
 */
export const oncePerRun = async (
  name: string,
  make: (folder: string) => Promise<void>,
  milliseconds: number,
): Promise<string> => {
  const run = process.env[TEST_RUN_VARIABLE]
  if (run === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-made-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    await make(folder)
    return folder
  }
  const folder = join(run, name)
  const [made, failed] = [`${folder}.made`, `${folder}.failed`]
  if (isFirst(folder)) {
    await make(folder).then(
      () => writeFileSync(made, ''),
      (error: unknown) => {
        writeFileSync(failed, String(error))
        throw error
      },
    )
    return folder
  }
  return until(
    `${name}, which another test of the run makes`,
    async () => {
      if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'))
      return existsSync(made) ? folder : null
    },
    milliseconds,
  )
}

const isFirst = (folder: string): boolean => {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'EEXIST') return false
    throw error
  }
}
