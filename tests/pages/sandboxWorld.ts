import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type SandboxInfo, SandboxProcess } from '../demo/sandboxProcess.js'
import { SHORT_LIFE } from '../harness/host/shortLife.js'

const CLI = join(dirname(createRequire(import.meta.url).resolve('@causeway/host/package.json')), 'bin', 'causeway.js')

/** A sandbox for pages that people look at. */
export interface SandboxWorld {
  readonly url: string
  /** As it is now: the host may be another one by then. */
  info(): SandboxInfo
  /** Runs a command of the command line beside the host; gives what it printed. */
  command(...words: readonly string[]): Promise<string>
  /** Opens one session. */
  operatorToken(): Promise<string>
  stop(): Promise<void>
}

/** @param chains names of the chains it is to have; absent: all */
export const startSandboxWorld = async (chains: readonly string[] = []): Promise<SandboxWorld> => {
  const sandbox = new SandboxProcess(chains)
  const first = await sandbox.ready(() => undefined)
  const config = join(sandbox.home, 'sandbox.config.json')
  const command = async (...words: readonly string[]) => {
    const env = { ...process.env, CAUSEWAY_HOME: sandbox.home }
    return (await promisify(execFile)(process.execPath, [...SHORT_LIFE, CLI, ...words, '--config', config], { env }))
      .stdout
  }
  return {
    url: first.baseUrl,
    info: () => sandbox.readInfo() ?? first,
    command,
    operatorToken: async () => {
      const token = /^token: *(\S+)$/m.exec(await command('dashboard', 'operator-token'))?.[1]
      if (token === undefined) throw new Error('The command printed no token')
      return token
    },
    stop: async () => {
      await sandbox.stop()
      sandbox.remove()
    },
  }
}
