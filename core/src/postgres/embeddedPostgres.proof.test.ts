import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startEmbeddedPostgres, stopEmbeddedPostgres } from './embeddedPostgres.js'
import { ask, kill, LONG, newFolder, start, startInChild, useLauncher } from './embeddedPostgres.test.support.js'

useLauncher()

it('starts a durable server that only this machine and the holder of the password reach', {
  timeout: LONG,
}, async () => {
  const server = await startEmbeddedPostgres({ dataDir: newFolder('plain') })
  expect(server.adopted).toBe(false)
  const shown = [
    'fsync',
    'listen_addresses',
    'unix_socket_directories',
    'server_encoding',
    'password_encryption',
    'max_connections',
  ]
  expect(await ask(server, `select ${shown.map((name) => `current_setting('${name}')`).join(', ')}`)).toEqual([
    ...['on', '127.0.0.1', '', 'UTF8', 'scram-sha-256', '200'],
  ])
  expect(await ask(server, `select datcollate from pg_database where datname = 'postgres'`)).toEqual(['C'])
  expect(fs.statSync(`${server.dataDir}.password`).mode & 0o777).toBe(0o600)
  await expect(ask({ url: server.url.replace(/:[0-9a-f]+@/, ':guess@') }, 'select 1')).rejects.toThrow('password')
  await server.stop()
})

it('keeps its data between starts, and stops twice without complaint', { timeout: LONG }, async () => {
  const dataDir = newFolder('kept')
  const first = await start(dataDir)
  await ask(first, 'create table kept as select 7 as value')
  await first.stop()
  await first.stop()
  await stopEmbeddedPostgres(dataDir)
  const second = await start(dataDir)
  expect(second.adopted).toBe(false)
  expect(await ask(second, 'select value from kept')).toEqual([7])
  await second.stop()
})

it('leaves the server running when its process is killed; the next start adopts it', { timeout: LONG }, async () => {
  const dataDir = newFolder('orphan')
  const child = await startInChild(dataDir)
  await ask(child, 'create table kept as select 7 as value')
  if (fs.existsSync('/proc')) {
    expect(fs.readFileSync(`/proc/${child.pid}/environ`, 'utf8')).not.toContain('SECRET_OF_PARENT')
  }
  await kill(child.process)
  const adopted = await start(dataDir)
  expect(adopted).toMatchObject({ adopted: true, pid: child.pid, port: child.port, url: child.url })
  expect(await ask(adopted, 'select value from kept')).toEqual([7])
  await adopted.stop()
  expect((await start(dataDir)).adopted).toBe(false)
})

it('starts one server when several processes ask for a new folder at once', { timeout: LONG }, async () => {
  const dataDir = newFolder('race')
  const children = await Promise.all([startInChild(dataDir), startInChild(dataDir), startInChild(dataDir)])
  expect(new Set(children.map(({ pid }) => pid)).size).toBe(1)
  expect(children.filter(({ adopted }) => !adopted)).toHaveLength(1)
  await Promise.all(children.map((child) => kill(child.process)))
  const beside = fs.readdirSync(path.dirname(dataDir)).sort()
  expect(beside).toEqual(['data', 'data.log', 'data.password'])
})
