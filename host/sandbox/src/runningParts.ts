import { setTimeout as delay } from 'node:timers/promises'
import { type EnvironmentVariables, environmentOf } from '@causeway/core'
import { stopEmbeddedPostgres } from '@causeway/core/host'
import type { LocalChain } from '@causeway/core/testing'
import type { ChainPlan } from './chainPlans.js'
import { HostProcess } from './hostProcess.js'
import { endRecorded, openSandbox } from './openSandbox.js'
import { endProcess } from './processes.js'
import { balanceCurrencyOf } from './sandboxConfig.js'
import { knowsBalances } from './sandboxDatabase.js'
import type { SandboxPaths } from './state/sandboxPaths.js'
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

const CHAIN_GRACE_MS = 10_000
const OPENING_GRACE_MS = 30_000

/** Prints lines with the seconds since now. */
export const timedPrint = (): ((line: string) => void) => {
  const startedAt = performance.now()
  return (line) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`)
}

/** What must be undone at a stop, however far the start came. */
export class RunningParts {
  state: SandboxState | null = null
  host: HostProcess | null = null
  readonly chainPids: number[] = []
  /** Chains without a process, which run in this one. */
  readonly innerChains: LocalChain[] = []
  /** Database and chains while they start; a stop waits for them. */
  opening: Promise<unknown> = Promise.resolve()
  readonly #abort = new AbortController()
  readonly signal: AbortSignal = this.#abort.signal
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
    this.#abort.abort()
    await Promise.race([this.opening.catch(() => undefined), delay(OPENING_GRACE_MS, undefined, { ref: false })])
    await this.host?.stop()
    const state = this.state ?? readState(this.paths)
    if (state !== null) await endRecorded(state)
    await Promise.all(this.chainPids.map((pid) => endProcess(pid, CHAIN_GRACE_MS)))
    // One whose preparation failed is closed already.
    await Promise.allSettled(this.innerChains.map((chain) => chain.close()))
    await stopEmbeddedPostgres(this.paths.postgres, environmentOf(this.variables))
    removeState(this.paths)
    this.print('Everything is stopped')
  }
}

/** Takes on the host of an earlier supervisor when it serves the port wanted, else ends it. */
const adoptHost = async (host: HostProcess, before: SandboxState | null, port: number): Promise<boolean> => {
  if (before === null || before.hostPid === null) return false
  if (before.port === port && (await host.adopt(before.hostPid))) return true
  await endRecorded({ ...before, chains: [] })
  return false
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

export interface SandboxParts {
  readonly before: SandboxState | null
  readonly port: number
  readonly plans: readonly ChainPlan[]
  /** The host's program, for Node. */
  readonly program: string
  /** Chains without a process of their own may run in this one: nothing outlives the supervisor. */
  readonly innerChains?: boolean
}

/** Starts PostgreSQL, the chains and the host; resolves when the host can be used. @throws SandboxError */
export const startParts = async (running: RunningParts, parts: SandboxParts): Promise<void> => {
  const { paths, variables, print, signal } = running
  const { before, port, plans, program, innerChains = false } = parts
  const opening = openSandbox({
    ...{ paths, port, plans, program, before, variables, print, signal },
    onProcess: (pid) => running.chainPids.push(pid),
    ...(innerChains ? { onInner: (chain: LocalChain) => running.innerChains.push(chain) } : {}),
  })
  running.opening = opening
  const { state: opened, apiKey } = await opening
  running.state = opened
  // Whoever waits for the host to be usable meets its failure.
  apiKey.catch(() => undefined)
  if (running.stopping) return
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
    environment: Object.assign({}, variables, ...opened.chains.map(({ environment }) => environment)),
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
}
