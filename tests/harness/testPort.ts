import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@causeway/core/testing'

/**
 * A port of 127.0.0.1 that nobody listens on, and that nobody else of this test run was or will be given: between the choice
 * of a port and its use lies the start of a process, and another worker would find it free meanwhile.
 */
export const testPort = async (): Promise<number> => {
  const run = process.env.CAUSEWAY_TEST_RUN
  for (;;) {
    const port = await freePort()
    if (run === undefined || claim(join(run, `port-${port}`))) return port
  }
}

const claim = (path: string): boolean => {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'EEXIST') return false
    throw error
  }
}
