import { createServer } from 'node:net'
import { type EnvironmentVariables, environmentOf } from '@causeway/core'
import { stopEmbeddedPostgres } from '@causeway/core/host'
import { freePort } from '@causeway/core/testing'
import type { RunSandboxOptions } from '@causeway/host'
import { type ChainPlan, chosenPlans } from './chainPlans.js'
import { HostProcess } from './hostProcess.js'
import { endRecorded, openSandbox } from './openSandbox.js'
import { endProcess, isProcess } from './processes.js'
import { balanceCurrencyOf } from './sandboxConfig.js'
import { knowsBalances } from './sandboxDatabase.js'
import { SandboxError } from './sandboxError.js'
import { findPages, sandboxHelp } from './sandboxHelp.js'
import { type SandboxPaths, sandboxPaths } from './state/sandboxPaths.js'
import {
  baseUrlOf,
  readState,
  removeInfo,
  removeState,
  type SandboxState,
  withHost,
  writeInfo,
  writeState,
} from './state/sandboxState.js'
import { fundSponsor } from './wallets/fundSponsor.js'

const DEFAULT_PORT = 3000
const CHAIN_GRACE_MS = 10_000

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

const timedPrint = (): ((line: string) => void) => {
  const startedAt = performance.now()
  return (line) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`)
}

/** What must be undone at a stop, however far the start came. */
class Running {
  state: SandboxState | null = null
  host: HostProcess | null = null
  readonly chainPids: number[] = []
  #stopped: Promise<void> | undefined

  constructor(
    readonly paths: SandboxPaths,
    readonly variables: EnvironmentVariables,
    readonly print: (line: string) => void,
  ) {}

  get stopping(): boolean {
    return this.#stopped !== undefined
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll()
    return this.#stopped
  }

  async #stopAll(): Promise<void> {
    removeInfo(this.paths)
    await this.host?.stop()
    const state = this.state ?? readState(this.paths)
    if (state !== null) await endRecorded(state)
    await Promise.all(this.chainPids.map((pid) => endProcess(pid, CHAIN_GRACE_MS)))
    await stopEmbeddedPostgres(this.paths.postgres, environmentOf(this.variables))
    removeState(this.paths)
    this.print('Everything is stopped')
  }
}

const stopOnSignals = (running: Running): void => {
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

/** Takes on the host of an earlier supervisor when it serves the port wanted, else ends it. */
const adoptHost = async (host: HostProcess, before: SandboxState | null, port: number): Promise<boolean> => {
  if (before === null || before.hostPid === null) return false
  if (before.port === port && (await host.adopt(before.hostPid))) return true
  await endRecorded({ ...before, chains: [] })
  return false
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
  const running = new Running(paths, variables, print)
  stopOnSignals(running)
  try {
    print('No configuration here: starting the sandbox')
    await start(running, { before, port, plans, program })
  } catch (error) {
    if (running.stopping) return
    await running.stop()
    throw error
  }
}

/** Links and funds the sponsor of a new sandbox with the first host that answers; from then on it is whose key it is. */
const onceFunded = (isNew: boolean): ((state: SandboxState) => Promise<void>) => {
  let funding: Promise<void> | undefined
  return async ({ sponsor, accounts, apiKey, port, chains }) => {
    const account = accounts.find(({ address }) => address === sponsor)
    const balances = balanceCurrencyOf(chains)
    const chain = chains.find(({ id }) => id === balances?.chainId)
    if (!isNew || account === undefined || balances === undefined || chain === undefined) return
    funding ??= fundSponsor({ baseUrl: baseUrlOf(port), apiKey, chain, currency: balances.currency, account })
    await funding
  }
}

const start = async (
  running: Running,
  {
    before,
    port,
    plans,
    program,
  }: {
    readonly before: SandboxState | null
    readonly port: number
    readonly plans: readonly ChainPlan[]
    readonly program: string
  },
): Promise<void> => {
  const { paths, variables, print } = running
  const onProcess = (pid: number) => running.chainPids.push(pid)
  const { state: opened, apiKey } = await openSandbox({
    paths,
    port,
    plans,
    program,
    before,
    variables,
    print,
    onProcess,
  })
  running.state = opened
  // Whoever waits for the host to be usable meets its failure.
  apiKey.catch(() => undefined)
  const remember = (hostPid: number): SandboxState => {
    const state = withHost(running.state ?? opened, hostPid, new Date())
    running.state = state
    writeState(paths, state)
    return state
  }
  const funded = onceFunded(opened.apiKey === '')
  const host = new HostProcess({
    paths,
    port,
    program,
    print,
    isUsable: async () => {
      const state = { ...(running.state ?? opened), apiKey: await apiKey }
      running.state = state
      await funded(state)
      return knowsBalances(opened.databaseUrl, opened.chains.flatMap(({ currencies }) => currencies).length)
    },
    onSpawn: remember,
    onReady: (pid) => writeInfo(paths, remember(pid)),
  })
  running.host = host
  const adopted = await adoptHost(host, opened.hostPid === null ? null : before, port)
  if (!adopted) await host.start()
  if (running.stopping) return
  print(adopted ? 'The host is taken on' : 'The host is ready')
  console.log(sandboxHelp(paths, running.state, await findPages(port)))
}
