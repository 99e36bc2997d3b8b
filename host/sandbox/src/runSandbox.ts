import { createServer } from 'node:net'
import { freePort } from '@causeway/core/testing'
import type { RunSandboxOptions } from '@causeway/host'
import { chosenPlans } from './chainPlans.js'
import { isProcess } from './processes.js'
import { RunningParts, startParts, timedPrint } from './runningParts.js'
import { SandboxError } from './sandboxError.js'
import { findPages, sandboxHelp } from './sandboxHelp.js'
import { type SandboxPaths, sandboxPaths } from './state/sandboxPaths.js'
import { readState, type SandboxState } from './state/sandboxState.js'

const DEFAULT_PORT = 3000

/** The port asked for (--port, else PORT), else the one of before, else 3000. 0 is any: the one of before, else a free one. @throws SandboxError */
const choosePort = (
  asked: number | undefined,
  fromEnvironment: string | undefined,
  before: SandboxState | null,
): number => {
  if (asked === undefined && fromEnvironment && !/^[0-9]{1,5}$/.test(fromEnvironment)) {
    throw new SandboxError('The environment variable PORT holds no port.')
  }
  const port = asked ?? (fromEnvironment ? Number(fromEnvironment) : undefined)
  if (port) return port
  return before?.port ?? port ?? DEFAULT_PORT
}

/** Makes sure the port can be had before anything is started; returns it, or a free one for 0, to which the host comes back. */
const reservePort = async (asked: number): Promise<number> => {
  const port = asked === 0 ? await freePort() : asked
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', () =>
      reject(
        new SandboxError(
          `Port ${port} is taken by another process. Stop that one, or choose another: PORT=3100 causeway start`,
        ),
      ),
    )
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
}

const readBefore = (paths: SandboxPaths): SandboxState | null => {
  const before = readState(paths)
  if (before !== null && before.supervisorPid !== process.pid && isProcess(before.supervisorPid, 'causeway')) {
    throw new SandboxError(
      `A sandbox runs already in ${paths.home} (process ${before.supervisorPid}). Use it, stop it with "causeway sandbox stop", or set CAUSEWAY_HOME to another folder.`,
    )
  }
  return before
}

const stopOnSignals = (running: RunningParts): void => {
  const handle = () => {
    if (running.stopping) process.exit(1)
    running.print('Stopping the host, the chains and PostgreSQL; a second signal leaves them behind')
    running.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
}

/** Runs the sandbox until a signal: PostgreSQL, the local chains, and a host that is started again when it dies (architecture.md 7). */
export const runSandbox = async (options: RunSandboxOptions): Promise<void> => {
  const { home, program, variables } = options
  const paths = sandboxPaths(home)
  const plans = chosenPlans(options.environmentChains)
  const print = timedPrint()
  const before = readBefore(paths)
  const wanted = choosePort(options.port, options.environmentPort, before)
  const ownHost = before?.hostPid !== null && before?.port === wanted && isProcess(before.hostPid, 'causeway')
  const port = ownHost ? wanted : await reservePort(wanted)
  const running = new RunningParts(paths, variables, print)
  stopOnSignals(running)
  try {
    print('No configuration here: starting the sandbox')
    await startParts(running, { before, port, plans, program })
    if (running.stopping || running.state === null) return
    console.log(sandboxHelp(paths, running.state, await findPages(port)))
  } catch (error) {
    if (running.stopping) return
    await running.stop()
    throw error
  }
}
