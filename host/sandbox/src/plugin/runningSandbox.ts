import { existsSync } from 'node:fs'
import type { Clock } from '@causeway/core'
import { type ChainRegistry, type Deployment, HttpError } from '@causeway/core/plugin'
import { isProcess } from '../processes.js'
import { SandboxError } from '../sandboxError.js'
import { type SandboxPaths, sandboxPaths } from '../state/sandboxPaths.js'
import { readState, type SandboxState } from '../state/sandboxState.js'

const SUPERVISOR_WORD = 'causeway'
/** How long what was read is told again; a page asks more often than anything changes. */
const KEEP_MS = 500

export interface RunningSandboxDeps {
  /** Its folder. */
  readonly home: string
  readonly deployment: Deployment
  readonly chains: ChainRegistry
  readonly clock: Clock
}

/** The sandbox that this host belongs to, by the files of its supervisor. */
export class RunningSandbox {
  readonly paths: SandboxPaths
  readonly #deps: RunningSandboxDeps
  #read: { readonly state: SandboxState | null; readonly at: number } | undefined

  constructor(deps: RunningSandboxDeps) {
    this.#deps = deps
    this.paths = sandboxPaths(deps.home)
  }

  /** @throws SandboxError unless this host is one of the sandbox of that folder, on its chains and on no real network */
  requireOwn(): void {
    const why = this.#whyForeign()
    if (why === null) return
    throw new SandboxError(
      `@causeway/sandbox/plugin runs in a sandbox only: ${why}. Take it out of "plugins", or start a sandbox with: causeway start`,
    )
  }

  /** Null where this host belongs to it. */
  #whyForeign(): string | null {
    const { deployment, chains } = this.#deps
    const { home } = this.paths
    if (deployment.network !== 'testnet') return 'the network of this host is not "testnet"'
    const state = readState(this.paths)
    if (state === null) return `there is no sandbox in ${home}`
    const own = new Set(state.chains.map(({ id }) => id))
    const other = chains.all().find(({ config }) => !own.has(config.id))
    if (other !== undefined) return `chain ${other.config.id} is none of the sandbox in ${home}`
    return isProcess(state.supervisorPid, SUPERVISOR_WORD) ? null : `the sandbox in ${home} is not running`
  }

  /** Null while the sandbox starts or stops. */
  #recorded(): SandboxState | null {
    const now = this.#deps.clock.now()
    if (this.#read === undefined || Math.abs(now - this.#read.at) >= KEEP_MS)
      this.#read = { state: readState(this.paths), at: now }
    return this.#read.state
  }

  /** API key of the demo integrator; undefined until the sandbox can be used. */
  demoKey(): string | undefined {
    return existsSync(this.paths.info) ? this.#recorded()?.apiKey || undefined : undefined
  }

  /** @throws HttpError 503 while the sandbox starts or stops */
  state(): SandboxState {
    const state = this.#recorded()
    if (state === null) throw new HttpError(503, 'The sandbox is starting or stopping; try again')
    return state
  }

  /** As `state`, once the sandbox can be used. @throws HttpError 503 */
  usable(): SandboxState {
    if (!existsSync(this.paths.info)) throw new HttpError(503, 'The sandbox is starting or stopping; try again')
    return this.state()
  }

  /** Whether a process stands by that starts this host again when it ends. */
  isKept(): boolean {
    const { hostPid, supervisorPid } = this.state()
    return hostPid === process.pid && isProcess(supervisorPid, SUPERVISOR_WORD)
  }
}
