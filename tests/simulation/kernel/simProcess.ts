import type { Random } from './random.js'

/**
 * A simulated process: whatever runs in an event of it takes its time, its randomness and its database from the kernel. It can be frozen,
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
}

let current: SimProcess | undefined

/** Whose code runs now; undefined: that of the simulation itself, in real time. */
export const currentProcess = (): SimProcess | undefined => current

/** Does `work` in real time, outside every simulated process; nothing else may run until it is done. */
export const outside = async <T>(work: () => Promise<T>): Promise<T> => {
  const process = current
  current = undefined
  try {
    return await work()
  } finally {
    current = process
  }
}

/** Only for the kernel: until all is at rest whatever runs is of this process. */
export const enter = (process: SimProcess | undefined): void => {
  current = process
}
