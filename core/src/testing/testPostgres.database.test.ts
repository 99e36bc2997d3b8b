import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../postgres/embeddedPostgres.js'
import { TEST_DATABASE_VARIABLE } from './testDatabaseVariable.js'
import { openTestPostgres, startTestPostgres } from './testPostgres.js'

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

it('leaves nothing behind, and clears away what a killed run left', { timeout: 120_000 }, async () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  const abandoned = fs.mkdtempSync(path.join(os.tmpdir(), `causeway-tests-${dead}-`))
  fs.chmodSync(abandoned, 0o711)
  const orphan = await startEmbeddedPostgres({ dataDir: path.join(abandoned, 'postgres'), settings: ['fsync=off'] })
  const server = await startTestPostgres({ parent: os.tmpdir() })
  expect(await answers(orphan.url)).toBe(false)
  expect(fs.existsSync(abandoned)).toBe(false)
  expect(await answers(server.url)).toBe(true)
  await server.stop()
  expect(await answers(server.url)).toBe(false)
  expect(fs.readdirSync(os.tmpdir()).some((name) => name.startsWith(`causeway-tests-${process.pid}-`))).toBe(false)
})

it('is the server that is named, else one of its own while the run lasts', { timeout: 120_000 }, async () => {
  const named = process.env[TEST_DATABASE_VARIABLE]
  const stopNamed = await openTestPostgres()
  expect(process.env[TEST_DATABASE_VARIABLE]).toBe(named)
  await stopNamed()
  delete process.env[TEST_DATABASE_VARIABLE]
  const stop = await openTestPostgres()
  const started = process.env[TEST_DATABASE_VARIABLE] ?? ''
  expect(await answers(started)).toBe(true)
  await stop()
  expect(process.env[TEST_DATABASE_VARIABLE]).toBeUndefined()
  process.env[TEST_DATABASE_VARIABLE] = named
  expect(await answers(started)).toBe(false)
})
