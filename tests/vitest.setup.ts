import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../core/src/postgres/embeddedPostgres.js'

/** One PostgreSQL for the run: the one DATABASE_URL names, else an embedded one that is thrown away. */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env.DATABASE_URL !== undefined) {
    process.env.CAUSEWAY_TEST_DATABASE_URL = process.env.DATABASE_URL
    return undefined
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'causeway-tests-'))
  fs.chmodSync(folder, 0o711)
  const server = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'postgres'),
    settings: ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'],
  })
  process.env.CAUSEWAY_TEST_DATABASE_URL = server.url
  return async () => {
    await server.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
