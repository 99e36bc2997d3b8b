import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { EnvironmentVariables } from '@causeway/core'
import { pause } from '@causeway/core/plugin'
import { endProcess, isAlive, isProcess } from './processes.js'
import { SandboxError } from './sandboxError.js'
import type { SandboxPaths } from './state/sandboxPaths.js'
import { baseUrlOf } from './state/sandboxState.js'

export interface HostProcessDeps {
  readonly paths: SandboxPaths
  readonly port: number
  /** The host's program, for Node. */
  readonly program: string
  /** Variables of its process. */
  readonly environment: EnvironmentVariables
  print(line: string): void
  /** What must hold besides an answer of the host, for it to count as ready. */
  isUsable(): Promise<boolean>
  /** Told of each host process as soon as it is there. */
  onSpawn(pid: number): void
  /** Told when a host is ready, the first and every one after it. */
  onReady(pid: number): void
}

const READY_MS = 90_000
const GRACE_MS = 20_000
const POLL_MS = 100
const MIN_BACKOFF_MS = 250
const MAX_BACKOFF_MS = 10_000
const LOG_TAIL = 1_500

const answers = async (port: number): Promise<boolean> => {
  try {
    const response = await fetch(`${baseUrlOf(port)}/lives`, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** Keeps one host running: a process of its own, started again when it ends without being told to. */
export class HostProcess {
  readonly #deps: HostProcessDeps
  readonly #stop = new AbortController()
  #pid = 0
  #watching: Promise<void> = Promise.resolve()

  constructor(deps: HostProcessDeps) {
    this.#deps = deps
  }

  /** Takes on a host that outlived an earlier supervisor; false when it is not there, or not well. */
  async adopt(pid: number): Promise<boolean> {
    if (!isProcess(pid, 'causeway') || !(await answers(this.#deps.port))) return false
    this.#pid = pid
    this.#ready()
    return true
  }

  /** Resolves when the host answers. @throws SandboxError with the end of its log when it does not */
  async start(): Promise<void> {
    this.#pid = this.#spawn()
    if (await this.#becomesReady()) return this.#ready()
    const { hostLog } = this.#deps.paths
    await endProcess(this.#pid, GRACE_MS)
    const tail = existsSync(hostLog) ? readFileSync(hostLog, 'utf8').slice(-LOG_TAIL) : ''
    throw new SandboxError(`The host did not become ready. Its log ${hostLog} ends with:\n${tail}`)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    if (this.#pid !== 0) await endProcess(this.#pid, GRACE_MS)
    await this.#watching
  }

  #ready(): void {
    this.#deps.onReady(this.#pid)
    this.#watching = this.#watch()
  }

  /** In a process group of its own: an interrupt at the terminal reaches the supervisor alone, which stops things in order. */
  #spawn(): number {
    const { paths, port, program, environment } = this.#deps
    const log = openSync(paths.hostLog, 'a', 0o600)
    const args = [program, 'start', '--config', paths.config, '--port', String(port)]
    const options = { cwd: paths.home, env: environment, detached: true }
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', log, log] })
    closeSync(log)
    child.on('error', () => undefined)
    child.unref()
    const pid = child.pid ?? 0
    this.#deps.onSpawn(pid)
    return pid
  }

  async #becomesReady(): Promise<boolean> {
    const deadline = performance.now() + READY_MS
    while (performance.now() < deadline && !this.#stop.signal.aborted && isAlive(this.#pid)) {
      if ((await answers(this.#deps.port)) && (await this.#deps.isUsable())) return true
      await delay(POLL_MS)
    }
    return false
  }

  /** Works for an adopted host too, which is no child of this process. */
  async #watch(): Promise<void> {
    const { signal } = this.#stop
    let failures = 0
    while (!signal.aborted) {
      if (isAlive(this.#pid)) {
        await pause(POLL_MS, signal)
        continue
      }
      const waitMs = Math.min(MIN_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS)
      this.#deps.print(
        `The host (process ${this.#pid}) ended without being told to; starting it again in ${waitMs} ms.`,
      )
      await pause(waitMs, signal)
      if (signal.aborted) return
      this.#pid = this.#spawn()
      if (await this.#becomesReady()) {
        failures = 0
        this.#deps.print(`The host runs again as process ${this.#pid}.`)
        this.#deps.onReady(this.#pid)
      } else failures += 1
    }
  }
}
