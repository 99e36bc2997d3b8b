import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const START_MS = 30_000

/** Starts a local chain that outlives this process; its output goes to `logPath`. @throws Error with the end of its log */
export const spawnDetached = async (
  { port, blockMs }: { readonly port: number; readonly blockMs: number },
  logPath: string,
  main = fileURLToPath(new URL('./localBitcoinProcess.js', import.meta.url)),
): Promise<{ readonly pid: number; readonly port: number }> => {
  const log = openSync(logPath, 'a')
  const args = [main, `--port=${port}`, `--block-ms=${blockMs}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', log, log], detached: true })
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
  throw new Error(`The local Bitcoin chain did not start: ${readFileSync(logPath, 'utf8').slice(-500)}`)
}

/** Ends a detached chain and waits until it is gone. */
export const endDetached = async (pid: number): Promise<void> => {
  try {
    process.kill(pid, 'SIGTERM')
    while (process.kill(pid, 0)) await delay(10)
  } catch {
    // It is gone.
  }
}
