import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestPostgres, TEST_DATABASE_VARIABLE } from '@causeway/core/testing'

/**
 * One PostgreSQL for the run: the one DATABASE_URL names (its user must be allowed to create databases), else an embedded one
 * that is thrown away. Test processes find it by the variable, which they inherit, as they do the folder for what is temporary.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  const stopDatabase = await openDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'causeway-run-'))
  // Other users' processes must walk through it.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return async () => {
    await stopDatabase()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

const openDatabase = async (): Promise<() => Promise<void>> => {
  const given = process.env.DATABASE_URL
  if (given !== undefined && given !== '') {
    process.env[TEST_DATABASE_VARIABLE] = given
    return async () => undefined
  }
  const server = await startTestPostgres()
  process.env[TEST_DATABASE_VARIABLE] = server.url
  return () => server.stop()
}
