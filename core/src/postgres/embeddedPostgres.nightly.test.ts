import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { stopEmbeddedPostgres } from './embeddedPostgres.js'
import {
  ask,
  folder,
  kill,
  LONG,
  newFolder,
  QUICK,
  start,
  startInChild,
  useLauncher,
} from './embeddedPostgres.test.support.js'
import { othersMayReach } from './privateFolder.js'
import { useEmbeddedPostgres } from './sharedPostgres.js'

useLauncher()

const AS_ROOT = process.getuid?.() === 0
const NOBODY = 65_534

/** Another user runs this repository only where it may read it. */
const OTHERS_MAY_READ = othersMayReach(import.meta.dirname)

describe('several users of one server (F130)', () => {
  const use = (dataDir: string, leavesOrphan = false) => useEmbeddedPostgres({ dataDir, settings: QUICK, leavesOrphan })

  const stops = async (server: { url: string }) =>
    expect(ask(server, 'select 1')).rejects.toThrow(/ECONNREFUSED|terminat/)

  it('stops with the last of them, whoever started it', { timeout: LONG }, async () => {
    const dataDir = newFolder('shared')
    const [first, second, third] = [await use(dataDir), await use(dataDir), await use(dataDir)]
    expect([first, second, third].map(({ adopted }) => adopted)).toEqual([false, true, true])
    await first.leave()
    await third.leave()
    expect(await ask(second, 'select 7')).toEqual([7])
    await second.leave()
    await second.leave()
    await stops(second)
  })

  it('counts a user no more that was killed; what it left is kept by a command and stopped by a host', {
    timeout: LONG,
  }, async () => {
    const dataDir = newFolder('left')
    const child = await startInChild(dataDir, {}, 'use')
    const beside = await use(dataDir, true)
    await beside.leave()
    expect(await ask(child, 'select 7')).toEqual([7])
    await kill(child.process)
    await vi.waitFor(async () => {
      expect(await ask(child, `select count(*)::int from pg_locks where locktype = 'advisory'`)).toEqual([0])
    }, LONG)
    const command = await use(dataDir, true)
    await command.leave()
    expect(await ask(child, 'select 7')).toEqual([7])
    const host = await use(dataDir)
    await host.leave()
    await stops(child)
  })

  it('is no orphan for a command that comes before its starter has taken it, or while another leaves', {
    timeout: LONG,
  }, async () => {
    const dataDir = newFolder('early')
    const started = await start(dataDir)
    const early = await use(dataDir, true)
    await early.leave()
    await stops(started)

    const left = newFolder('leaving')
    const child = await startInChild(left, {}, 'use')
    await kill(child.process)
    const leaving = new pg.Client({ connectionString: child.url, application_name: 'causeway use' })
    leaving.on('error', () => undefined)
    await leaving.connect()
    const last = await use(left, true)
    await last.leave()
    await stops(child)
  })

  it('loses nobody who comes while the last one leaves', { timeout: LONG }, async () => {
    const dataDir = newFolder('crossing')
    let current = await use(dataDir)
    for (let round = 0; round < 4; round += 1) {
      const [, next] = await Promise.all([current.leave(), use(dataDir)])
      expect(await ask(next, 'select 7')).toEqual([7])
      current = next
    }
    await current.leave()
    await stops(current)
  })
})

it('starts over a pid file whose process is dead, or is another program by now', { timeout: LONG }, async () => {
  const dataDir = newFolder('stale')
  const first = await start(dataDir)
  await ask(first, 'create table kept as select 7 as value')
  process.kill(first.pid, 'SIGKILL')
  const second = await start(dataDir)
  expect(second.adopted).toBe(false)
  expect(await ask(second, 'select value from kept')).toEqual([7])
  const record = fs.readFileSync(path.join(second.dataDir, 'postmaster.pid'), 'utf8')
  await second.stop()
  const stranger = spawn(
    process.execPath,
    ['-e', 'setInterval(() => undefined, 1000)'],
    AS_ROOT ? { uid: NOBODY, gid: NOBODY } : {},
  )
  fs.writeFileSync(path.join(second.dataDir, 'postmaster.pid'), record.replace(/^\d+/, String(stranger.pid)))
  await stopEmbeddedPostgres(dataDir)
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  const third = await start(dataDir)
  expect(await ask(third, 'select value from kept')).toEqual([7])
  await third.stop()
  await kill(stranger)
})

it('never touches a folder that holds something else, or a database whose password is gone', {
  timeout: LONG,
}, async () => {
  const foreign = newFolder('foreign')
  fs.mkdirSync(foreign, { recursive: true })
  fs.writeFileSync(path.join(foreign, 'letters.txt'), 'mine')
  await expect(start(foreign)).rejects.toThrow('is not empty and holds no PostgreSQL data')
  expect(fs.readdirSync(foreign)).toEqual(['letters.txt'])

  const locked = newFolder('locked')
  const server = await start(locked)
  await server.stop()
  fs.renameSync(`${server.dataDir}.password`, `${server.dataDir}.elsewhere`)
  await expect(start(locked)).rejects.toThrow('password file')
  expect(fs.existsSync(path.join(server.dataDir, 'PG_VERSION'))).toBe(true)
})

it("says in the server's own words why it does not start: its port is taken", { timeout: LONG }, async () => {
  const holder = net.createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const address = holder.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await expect(start(newFolder('clash'), { port })).rejects.toThrow('Address already in use')
  holder.close()
})

it.runIf(AS_ROOT && OTHERS_MAY_READ)('works for an ordinary user', { timeout: LONG }, async () => {
  const dataDir = newFolder('ordinary')
  fs.mkdirSync(path.dirname(dataDir))
  fs.chownSync(path.dirname(dataDir), NOBODY, NOBODY)
  const child = await startInChild(dataDir, { uid: NOBODY, gid: NOBODY })
  expect(await ask(child, 'select 1')).toEqual([1])
  expect(fs.statSync(`${dataDir}.password`).uid).toBe(NOBODY)
  await kill(child.process)
})

it.runIf(AS_ROOT)(
  'moves the data of root to a private place when the server could not walk to it',
  { timeout: LONG },
  async () => {
    const closed = path.join(folder, 'closed')
    fs.mkdirSync(closed, { mode: 0o700 })
    const wanted = path.join(closed, 'data')
    const server = await start(wanted)
    const place = path.dirname(server.dataDir)
    try {
      expect(place).toMatch(/^\/var\/tmp\/causeway-[0-9a-f]{16}$/)
      expect(fs.statSync(place).mode & 0o777).toBe(0o711)
      expect(await ask(server, 'select 1')).toEqual([1])
      expect((await start(wanted)).adopted).toBe(true)
      await stopEmbeddedPostgres(wanted)
      await expect(ask(server, 'select 1')).rejects.toThrow('ECONNREFUSED')
    } finally {
      await server.stop()
      fs.rmSync(place, { recursive: true, force: true })
    }
  },
)
