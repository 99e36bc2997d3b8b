import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestPostgres, TEST_DATABASE_VARIABLE, TEST_RUN_VARIABLE } from '@causeway/core/testing'
import { skippedTests } from './systemPrograms.js'

/**
 * One PostgreSQL for the run: the one DATABASE_URL names (its user must be allowed to create databases), else an embedded one
 * that is thrown away. Test processes find it by the variable, which they inherit, as they do the folder for what is temporary.
 * Every project that needs a database asks for it; the first one gets it for all.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  if (process.env[TEST_RUN_VARIABLE] !== undefined) return async () => undefined
  for (const line of skippedTests()) console.info(line)
  const folder = mkdtempSync(join(tmpdir(), 'causeway-run-'))
  process.env[TEST_RUN_VARIABLE] = folder
  const given = process.env.DATABASE_URL
  if (given !== undefined && given !== '') process.env[TEST_DATABASE_VARIABLE] = given
  const closeDatabase = await openTestPostgres()
  // Other users' processes must walk through it.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return async () => {
    await closeDatabase()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
