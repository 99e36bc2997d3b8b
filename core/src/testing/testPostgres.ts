import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../postgres/embeddedPostgres.js'

export interface TestPostgres {
  readonly url: string
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

/** A throw-away PostgreSQL for a test run. Not durable: what it holds is lost when the machine stops. */
export const startTestPostgres = async (): Promise<TestPostgres> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'causeway-tests-'))
  // Root's server runs as another user, which must walk through this folder.
  fs.chmodSync(folder, 0o711)
  const remove = () => fs.rmSync(folder, { recursive: true, force: true })
  const server = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'postgres'),
    settings: ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'],
  }).catch((error: unknown) => {
    remove()
    throw error
  })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      remove()
    },
  }
}
