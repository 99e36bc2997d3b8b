import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A chain of the sandbox, as `sandbox.json` tells of it. */
export interface SandboxChainInfo {
  readonly id: number
  readonly name: string
  readonly vmType: string
  readonly rpcUrl: string
  readonly wsUrl: string
  readonly depository: string
  readonly currencies: readonly { readonly address: string; readonly symbol: string; readonly decimals: number }[]
  readonly unlisted: readonly { readonly address: string; readonly symbol: string; readonly decimals: number }[]
}

/** `sandbox.json`: what a running sandbox tells the world. */
export interface SandboxInfo {
  readonly baseUrl: string
  readonly apiKey: string
  readonly databaseUrl: string
  readonly hostPid: number
  readonly chains: readonly SandboxChainInfo[]
  readonly accounts: readonly { readonly chainId: number; readonly address: string; readonly privateKey: string }[]
  /** Address of the account whose balance pays for the demo key's integrator. */
  readonly sponsor: string | null
}

/** By its package: this file runs compiled, and as it stands in tests. */
const CLI = join(dirname(createRequire(import.meta.url).resolve('@causeway/host/package.json')), 'bin', 'causeway.js')
const START_MS = 120_000
const STOP_MS = 45_000
const POLL_MS = 25
const LAST_LINES = 20
/** Its lines of progress begin with a time; the help that follows them is for people who work with it. */
const PROGRESS = /^ *\d+\.\d s /

/**
 * A sandbox of our own in a fresh folder and on a free port, whatever else runs on this machine. It has a process group of its
 * own: an interrupt at the terminal reaches the demo alone, which then stops the sandbox in order.
 */
export class SandboxProcess {
  readonly home = mkdtempSync(join(tmpdir(), 'causeway-demo-'))
  readonly #output = join(this.home, 'output.log')
  readonly #child: ChildProcess
  readonly #chains: string
  #shown = 0

  /** @param chains names of the chains it is to have; absent: all */
  constructor(chains: readonly string[] = []) {
    this.#chains = chains.join(',')
    const output = openSync(this.#output, 'a', 0o600)
    this.#child = this.#run(['start'], output)
    closeSync(output)
  }

  /** Resolves when the sandbox can be used; `onLine` hears of its progress until then. @throws Error with its last lines */
  async ready(onLine: (line: string) => void): Promise<SandboxInfo> {
    const deadline = performance.now() + START_MS
    while (performance.now() < deadline) {
      const info = this.readInfo()
      for (const line of this.#newLines()) onLine(line)
      if (info !== null) return info
      if (this.#hasEnded()) throw new Error(`The sandbox ended while it started. It said last:\n${this.lastLines()}`)
      await delay(POLL_MS)
    }
    throw new Error(`The sandbox was not ready after ${START_MS / 1000} s. It said last:\n${this.lastLines()}`)
  }

  /** What `sandbox.json` says now, or null while there is none. */
  readInfo(): SandboxInfo | null {
    try {
      // CAST: the shape is the sandbox's own, which its tests check.
      return JSON.parse(readFileSync(join(this.home, 'sandbox.json'), 'utf8')) as SandboxInfo
    } catch {
      return null
    }
  }

  lastLines(): string {
    return this.#text('output.log').trimEnd().split('\n').slice(-LAST_LINES).join('\n')
  }

  hostLog(): string {
    return this.#text('host.log').trimEnd().split('\n').slice(-LAST_LINES).join('\n')
  }

  /** The command that stops a sandbox left running. */
  stopCommand(): string {
    return `CAUSEWAY_HOME=${this.home} node ${CLI} sandbox stop`
  }

  /** Stops everything the sandbox started. A supervisor that is gone or stuck is helped by the command for that. */
  async stop(): Promise<void> {
    if (!this.#hasEnded()) {
      this.#child.kill('SIGTERM')
      await this.#end(this.#child, STOP_MS)
    }
    if (this.#child.exitCode === 0) return
    this.#child.kill('SIGKILL')
    await this.#end(this.#run(['sandbox', 'stop'], 'ignore'), STOP_MS)
  }

  /** Removes the folder, once stopped. */
  remove(): void {
    rmSync(this.home, { recursive: true, force: true })
  }

  /** Lets the demo end while the sandbox runs on. */
  release(): void {
    this.#child.unref()
  }

  #run(words: readonly string[], output: number | 'ignore'): ChildProcess {
    const { DATABASE_URL: _ownOne, ...environment } = process.env
    return spawn(process.execPath, [CLI, ...words], {
      cwd: this.home,
      detached: true,
      env: { ...environment, CAUSEWAY_HOME: this.home, CAUSEWAY_SANDBOX_CHAINS: this.#chains, PORT: '0' },
      stdio: ['ignore', output, output],
    })
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async #end(child: ChildProcess, limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs
    while (child.exitCode === null && child.signalCode === null && performance.now() < deadline) await delay(POLL_MS)
  }

  #newLines(): string[] {
    const text = this.#text('output.log')
    const until = text.lastIndexOf('\n') + 1
    const fresh = text.slice(this.#shown, until)
    this.#shown = until
    return fresh.split('\n').filter((line) => PROGRESS.test(line))
  }

  #text(name: string): string {
    try {
      return readFileSync(join(this.home, name), 'utf8')
    } catch {
      return ''
    }
  }
}
