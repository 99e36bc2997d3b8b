import { AsyncLocalStorage } from 'node:async_hooks'
import type { Random } from './random.js'

/**
 * A simulated process: whatever runs in its context takes its time, its randomness and its database from the kernel. It can be frozen,
 * and killed at any event: then nothing of it runs any more.
 */
export class SimProcess {
  readonly name: string
  readonly random: Random
  /** False once killed: what was in memory is lost. */
  alive = true
  /** No event reaches it before this time, virtual milliseconds. */
  frozenUntil = 0
  /** How wrong its machine's clock is, milliseconds; the monotonic one never is. */
  clockOffMs = 0

  constructor(name: string, random: Random) {
    this.name = name
    this.random = random
  }

  /** Runs `work`, and what it starts, as this process. */
  run<T>(work: () => T): T {
    return context.run(this, work)
  }
}

const context = new AsyncLocalStorage<SimProcess>()

/** Whose code runs now; undefined: that of the simulation itself, in real time. */
export const currentProcess = (): SimProcess | undefined => context.getStore()

/** Runs `work` in real time, outside every simulated process. */
export const outside = <T>(work: () => T): T => context.exit(work)
