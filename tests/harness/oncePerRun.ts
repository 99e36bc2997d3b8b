import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './until.js'

/**
 * A folder with what several files of a test run need and none of them changes: whoever asks first makes it, the others wait for
 * it. It goes with the run.
 */
export const oncePerRun = async (
  name: string,
  make: (folder: string) => Promise<void>,
  milliseconds: number,
): Promise<string> => {
  const run = process.env.CAUSEWAY_TEST_RUN
  if (run === undefined) throw new Error('There is no test run: tests/vitest.setup.ts begins one.')
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
    `${name}, which another file of the run makes`,
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
