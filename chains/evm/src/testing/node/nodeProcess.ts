import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export interface NodeOptions {
  readonly chainId: number
  /** Without it a block is mined for each transaction only; with it also every so many seconds. */
  readonly blockTimeSeconds?: number
  readonly port?: number
  /** File the node loads its state from and writes it to at exit; without it the state dies with the process. */
  readonly statePath?: string
  /** File that holds the state to begin with (`saveState` of another chain); the node does not write to it. */
  readonly loadStatePath?: string
  /** The node outlives this process; `close` still ends it. Its output goes to `logPath`. */
  readonly detached?: boolean
}

/** Gas of a block, as the node has it by itself. */
const BLOCK_GAS = 30_000_000

/** Where a node keeps the states of its older blocks while it runs: hundreds of megabytes, of use to it alone. */
const statesOf = (logPath: string): string => `${logPath}.states`

/** Removes what the node that logged there has left; it must have ended. */
export const removeStates = (logPath: string): void =>
  rmSync(statesOf(logPath), { recursive: true, force: true, maxRetries: 3 })

/** Starts the node; its output goes to `logPath`. */
export const spawnNode = (options: NodeOptions, logPath: string): ChildProcess => {
  removeStates(logPath)
  const flags = ['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--chain-id', String(options.chainId)]
  flags.push('--cache-path', statesOf(logPath))
  // The first block of nodes started in one second would be the same one otherwise, and tells them apart.
  flags.push('--gas-limit', String(BLOCK_GAS + randomInt(1_000_000)))
  if (options.blockTimeSeconds !== undefined) {
    flags.push('--block-time', String(options.blockTimeSeconds), '--mixed-mining')
  }
  if (options.statePath !== undefined) flags.push('--state', options.statePath)
  if (options.loadStatePath !== undefined) flags.push('--load-state', options.loadStatePath)
  const log = openSync(logPath, 'a')
  const child = spawn(nodeBinary(), flags, { stdio: ['ignore', log, log], detached: options.detached === true })
  closeSync(log)
  if (options.detached === true) child.unref()
  return child
}

const nodeBinary = (): string => {
  const require = createRequire(import.meta.url)
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`
  const fromLauncher = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
  return join(dirname(fromLauncher.resolve(`${name}/package.json`)), 'bin', 'anvil')
}

/** URL the node listens on, once it says so in its log. Throws with the end of the log when it does not start. */
export const addressIn = async (logPath: string, child: ChildProcess): Promise<string> => {
  const deadline = Date.now() + 20_000
  let failure: unknown = null
  child.once('error', (error) => {
    failure = error
  })
  while (Date.now() < deadline && failure === null && child.exitCode === null) {
    const [, address] = readFileSync(logPath, 'utf8').match(/Listening on ([0-9.]+:[0-9]+)/) ?? []
    if (address !== undefined) return `http://${address}`
    await delay(10)
  }
  throw new Error(`The local EVM node did not start: ${readFileSync(logPath, 'utf8').slice(-500)}`, { cause: failure })
}

/** The node must not outlive this process. */
export const endWithParent = (child: ChildProcess): void => {
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.removeListener('exit', end))
}

/** Ends the node and waits until it is gone. */
export const endProcess = async (pid: number, child?: ChildProcess): Promise<void> => {
  const ended = child === undefined ? null : new Promise<void>((resolve) => child.once('exit', () => resolve()))
  if (child !== undefined && child.exitCode !== null) return
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    return
  }
  if (ended !== null) return ended
  while (isAlive(pid)) await delay(10)
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
