import { createServer } from 'node:net'
import { stopEmbeddedPostgres } from '@causeway/core'
import { HostProcess } from './hostProcess.js'
import { endRecorded, openSandbox } from './openSandbox.js'
import { isProcess } from './processes.js'
import { SandboxError } from './sandboxError.js'
import { sandboxHelp } from './sandboxHelp.js'
import { type SandboxPaths, sandboxPaths } from './sandboxPaths.js'
import { readState, removeInfo, removeState, type SandboxState, writeInfo, writeState } from './sandboxState.js'

const DEFAULT_PORT = 3000

/** The port asked for, else the one of before, else PORT, else 3000. 0 takes a free one. @throws SandboxError */
const choosePort = (asked: number | undefined, before: SandboxState | null): number => {
  const fromEnvironment = process.env.PORT
  if (asked !== undefined) return asked
  if (fromEnvironment) {
    if (!/^[0-9]{1,5}$/.test(fromEnvironment)) throw new SandboxError('The environment variable PORT holds no port.')
    return Number(fromEnvironment)
  }
  return before?.port ?? DEFAULT_PORT
}

/** Makes sure the port can be had before anything is started; returns it, or a free one for 0. */
const reservePort = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', () =>
      reject(
        new SandboxError(
          `Port ${port} is taken by another process. Stop that one, or choose another: PORT=3100 causeway start`,
        ),
      ),
    )
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
    })
  })

const readBefore = (paths: SandboxPaths): SandboxState | null => {
  const before = readState(paths)
  if (before !== null && before.supervisorPid !== process.pid && isProcess(before.supervisorPid, 'causeway')) {
    throw new SandboxError(
      `A sandbox runs already in ${paths.home} (process ${before.supervisorPid}). Use it, stop it with "causeway sandbox stop", or set CAUSEWAY_HOME to another folder.`,
    )
  }
  return before
}

const timedPrint = (): ((line: string) => void) => {
  const startedAt = performance.now()
  return (line) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`)
}

/** What must be undone at a stop, however far the start came. */
interface Running {
  state: SandboxState | null
  host: HostProcess | null
}

const stopAll = async (paths: SandboxPaths, running: Running, print: (line: string) => void): Promise<void> => {
  removeInfo(paths)
  await running.host?.stop()
  const state = running.state ?? readState(paths)
  if (state !== null) await endRecorded({ ...state, hostPid: null })
  await stopEmbeddedPostgres(paths.postgres)
  removeState(paths)
  print('Everything is stopped')
}

const onSignals = (stop: () => Promise<void>, print: (line: string) => void): void => {
  let stopping = false
  const handle = () => {
    if (stopping) process.exit(1)
    stopping = true
    print('Stopping the host, the chains and PostgreSQL; a second signal leaves them behind')
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
}

/** Takes on the host of an earlier supervisor when it serves the port wanted, else ends it. */
const adoptHost = async (host: HostProcess, before: SandboxState | null, port: number): Promise<boolean> => {
  if (before === null || before.hostPid === null) return false
  if (before.port === port && (await host.adopt(before.hostPid))) return true
  await endRecorded({ ...before, chains: [] })
  return false
}

/** Runs the sandbox until a signal: PostgreSQL, two local chains, and a host that is started again when it dies (design 7). */
export const runSandbox = async ({ port: asked }: { readonly port?: number | undefined }): Promise<void> => {
  const paths = sandboxPaths()
  const print = timedPrint()
  const before = readBefore(paths)
  const wanted = choosePort(asked, before)
  const ownHost = before?.hostPid !== null && before?.port === wanted && isProcess(before.hostPid, 'causeway')
  const port = ownHost ? wanted : await reservePort(wanted)
  const running: Running = { state: null, host: null }
  onSignals(() => stopAll(paths, running, print), print)
  try {
    print('No configuration here: starting the sandbox')
    running.state = await openSandbox({ paths, port, before, print })
    writeState(paths, running.state)
    const onReady = (hostPid: number) => {
      if (running.state === null) return
      running.state = { ...running.state, hostPid }
      writeState(paths, running.state)
      writeInfo(paths, running.state)
    }
    running.host = new HostProcess({ paths, port, print, onReady })
    const adopted = await adoptHost(running.host, running.state.hostPid === null ? null : before, port)
    if (!adopted) await running.host.start()
    print(adopted ? 'The host is taken on' : 'The host is ready')
    console.log(sandboxHelp(paths, running.state))
  } catch (error) {
    await stopAll(paths, running, print)
    throw error
  }
}
