import type { Kernel } from '../kernel/kernel.js'
import type { Random } from '../kernel/random.js'
import { SimProcess } from '../kernel/simProcess.js'
import { type SimHost, type SimHostDeps, startSimHost } from './simHost.js'

export interface HostPlaceDeps extends Omit<SimHostDeps, 'process'> {
  readonly kernel: Kernel
  readonly random: Random
  /** The world's own process: it starts hosts again. */
  readonly world: SimProcess
  tell(words: string): void
}

/** A host that could not start is started again after this. */
const RETRY_MS = 1_500

/** Where a host runs, one process after the other: what a supervisor does with a host that died. */
export class HostPlace {
  readonly name: string
  readonly #deps: HostPlaceDeps
  #process: SimProcess
  #starts = 0
  /** Virtual milliseconds. */
  #started = 0
  #host: SimHost | null = null

  constructor(name: string, deps: HostPlaceDeps) {
    this.name = name
    this.#deps = deps
    this.#process = this.#newProcess()
  }

  get process(): SimProcess {
    return this.#process
  }

  /** The host, once it has started and while it lives. */
  get host(): SimHost | null {
    return this.#process.alive ? this.#host : null
  }

  /** Whether it serves now: started, alive and not frozen. */
  get serves(): boolean {
    return this.host !== null && this.#process.frozenUntil <= this.#deps.kernel.time.now
  }

  /** Since when it has done its work without a break, Unix milliseconds. */
  get since(): number {
    const { origin } = this.#deps.kernel.time
    return origin + Math.max(this.#started, this.#process.frozenUntil)
  }

  /** Starts a host if none lives. */
  start(): void {
    if (this.#starts > 0 && this.#process.alive) return
    const process = this.#newProcess()
    this.#process = process
    this.#host = null
    this.#starts += 1
    const { kernel, world } = this.#deps
    const started = kernel.call(world, process, () => startSimHost({ ...this.#deps, process }))
    started.then(
      (host) => {
        this.#host = host
        this.#started = this.#deps.kernel.time.now
        this.#deps.tell(`${process.name} serves`)
      },
      (error: Error) => {
        this.#deps.tell(`${process.name} cannot start: ${error.message}`)
        this.kill()
        this.startIn(RETRY_MS)
      },
    )
  }

  /** Starts a host after so many virtual milliseconds. */
  startIn(delayMs: number): void {
    this.#deps.kernel.later(this.#deps.world, delayMs, () => this.start())
  }

  /** Ends it where it is. */
  kill(): void {
    this.#deps.kernel.kill(this.#process)
    this.#host = null
  }

  #newProcess(): SimProcess {
    const name = `${this.name}.${this.#starts + 1}`
    return new SimProcess(name, this.#deps.random.fork(name))
  }
}
