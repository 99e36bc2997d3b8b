import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const START_MS = 30_000

/** A local chain as a program of its own, which says `Listening on 127.0.0.1:<port>` once it serves. */
export interface DetachedNodeOptions {
  /** Path of its script. */
  readonly main: string
  readonly flags: Readonly<Record<string, string | number>>
  /** Where its output goes. */
  readonly logPath: string
}

/** Starts a local chain that outlives this process. @throws Error with the end of its log */
export const startDetachedNode = async ({
  main,
  flags,
  logPath,
}: DetachedNodeOptions): Promise<{ readonly pid: number; readonly port: number }> => {
  const log = openSync(logPath, 'a')
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', log, log], detached: true })
  closeSync(log)
  child.unref()
  return { pid: child.pid ?? 0, port: await portIn(logPath, child) }
}

const portIn = async (logPath: string, child: ChildProcess): Promise<number> => {
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const [, port] = readFileSync(logPath, 'utf8').match(/Listening on 127\.0\.0\.1:([0-9]+)/) ?? []
    if (port !== undefined) return Number(port)
    await delay(10)
  }
  throw new Error(`The local chain did not start: ${readFileSync(logPath, 'utf8').slice(-500)}`)
}

/** Ends a detached chain and waits until it is gone. */
export const endDetachedNode = async (pid: number): Promise<void> => {
  try {
    process.kill(pid, 'SIGTERM')
    while (process.kill(pid, 0)) await delay(10)
  } catch {
    // It is gone.
  }
}
