import { installBuiltins } from './builtins.js'
import type { EventQueue, SimEvent } from './eventQueue.js'
import type { Random } from './random.js'
import { atRest } from './realTime.js'
import { installClients } from './simClient.js'
import type { SimDatabase } from './simDatabase.js'
import { enter, type SimProcess } from './simProcess.js'
import { type Timer, VirtualTime } from './virtualTime.js'

export interface KernelDeps {
  readonly random: Random
  readonly database: SimDatabase
  readonly origin: number
  readonly timeFile: string
}

/** The least and the most that an event takes, virtual microseconds. */
const EVENT_US = [50, 600] as const
/** More events without time going on than this are a loop that never ends. */
const STUCK = 20_000

/**
 * Makes everything that happens in a world happen one after the other, in an order that its seed decides: statements, their answers,
 * notifications, timers, what nodes say. Between two events all code has come to rest, so that a process may be killed or frozen there.
 */
export class Kernel implements EventQueue {
  readonly time: VirtualTime
  readonly database: SimDatabase
  readonly random: Random
  #ready: SimEvent[] = []
  #events = 0
  readonly #dying: SimProcess[] = []
  /** Called before each event with its number and process. */
  onEvent: ((event: number, process: SimProcess) => void) | null = null

  constructor({ random, database, origin, timeFile }: KernelDeps) {
    this.random = random
    this.database = database
    this.time = new VirtualTime(origin, timeFile)
    installBuiltins(this)
    installClients(this)
  }

  /** How many events have happened. */
  get events(): number {
    return this.#events
  }

  ready(event: SimEvent): void {
    this.#ready.push(event)
  }

  later(process: SimProcess, delayMs: number, run: () => void): Timer {
    return this.time.set(process, delayMs, run)
  }

  /** One process does something for another, which learns what came of it in an event of its own; never, where the first one dies. */
  call<T>(caller: SimProcess, process: SimProcess, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const back = (tell: () => void) => this.ready({ process: caller, run: tell })
      const run = () =>
        void work().then(
          (value) => back(() => resolve(value)),
          (error: unknown) => back(() => reject(error)),
        )
      this.ready({ process, run })
    })
  }

  /** Lets the world go on until then, virtual milliseconds since its beginning, or until `isOver`. */
  async run(until: number, isOver: () => boolean = () => false): Promise<void> {
    let busy = 0
    while (!isOver()) {
      this.#takeDue()
      const event = this.#pick()
      if (event === null) {
        const next = this.#nextTime()
        if (next === null || next > until) break
        this.time.advance(next)
        busy = 0
        continue
      }
      busy += 1
      if (busy > STUCK) throw new Error(`The world stands still at ${this.time.now} ms: its events never end.`)
      await this.#happen(event)
    }
    if (!isOver()) this.time.advance(until)
  }

  /** The process ends where it is: nothing of it happens any more, and before the next event the server has noticed. */
  kill(process: SimProcess): void {
    if (!process.alive) return
    process.alive = false
    this.#dying.push(process)
  }

  /** Ends the world. */
  close(): void {
    this.#ready = []
    this.time.close()
    installBuiltins(null)
    installClients(null)
  }

  async #happen(event: SimEvent): Promise<void> {
    this.#events += 1
    this.onEvent?.(this.#events, event.process)
    await this.#bury()
    if (!event.process.alive) return
    this.time.advance(this.time.now + this.random.int(...EVENT_US) / 1_000)
    enter(event.process)
    const done = event.run()
    if (done !== undefined) await done
    await atRest()
    enter(undefined)
    await this.#bury()
  }

  /** What is left of killed processes goes. */
  async #bury(): Promise<void> {
    for (const process of this.#dying.splice(0)) {
      this.#ready = this.#ready.filter((event) => event.process !== process)
      await this.database.forget(process)
    }
  }

  #takeDue(): void {
    for (const timer of this.time.due()) {
      const { process, run } = timer
      // Cancelled until the moment it happens.
      if (process.alive) this.#ready.push({ process, run: () => (timer.cancelled ? undefined : run()) })
    }
  }

  #pick(): SimEvent | null {
    const { now } = this.time
    const able = this.#ready.filter(({ process }) => process.frozenUntil <= now)
    if (able.length === 0) return null
    const event = this.random.pick(able)
    this.#ready.splice(this.#ready.indexOf(event), 1)
    return event
  }

  /** When something can happen again. */
  #nextTime(): number | null {
    const times = this.#ready.map(({ process }) => process.frozenUntil)
    const timer = this.time.next()
    if (timer !== null) times.push(timer)
    return times.length === 0 ? null : Math.min(...times)
  }
}
