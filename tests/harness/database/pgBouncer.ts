import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testPort } from '../testPort.js'
import { until } from '../until.js'

const PROGRAM = '/usr/sbin/pgbouncer'

/** Whether tests of it run: where the machine has it, or where it is required, so that they fail there. */
export const withPgBouncer = (): boolean => process.env.CAUSEWAY_REQUIRE_PGBOUNCER === '1' || existsSync(PROGRAM)

/** A pooler of the Debian package before a server, with the settings that the package ships but for the mode. */
export interface PgBouncer {
  /** The URL of a database of the server by way of the pooler. */
  through(url: string): string
  close(): Promise<void>
}

const config = (server: URL, port: number, mode: string): string => `[databases]
* = host=${server.hostname} port=${server.port} user=${decodeURIComponent(server.username)} password=${decodeURIComponent(server.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 100
`

/** Starts one before the server of a URL. It refuses root, which becomes nobody. */
export const startPgBouncer = async (
  url: string,
  mode: 'session' | 'transaction' | 'statement',
): Promise<PgBouncer> => {
  if (!existsSync(PROGRAM)) throw new Error('This test needs PgBouncer: apt-get install pgbouncer')
  const folder = mkdtempSync(join(tmpdir(), 'causeway-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await testPort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, config(new URL(url), port, mode))
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(PROGRAM, ['--quiet', file], { stdio: 'ignore', cwd: '/', ...user })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await until('PgBouncer to listen', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with exit code ${child.exitCode}`)
    return listens(port)
  })
  return {
    through: (target) => Object.assign(new URL(target), { port: String(port) }).toString(),
    close: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const listens = (port: number): Promise<true | null> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(null))
    socket.once('close', () => undefined)
    socket.once('connect', () => socket.destroy())
  })
