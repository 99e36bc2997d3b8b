import type { SimProcess } from './simProcess.js'
import type { Timer, VirtualTime } from './virtualTime.js'

/** Something that can happen now. Real work, such as a statement, is over when its promise is. */
export interface SimEvent {
  readonly process: SimProcess
  readonly run: () => void | Promise<void>
}

/** Where events wait until they happen. */
export interface EventQueue {
  readonly time: VirtualTime
  /** Lets something happen at any moment from now on. */
  ready(event: SimEvent): void
  /** Lets something happen when the time has come. */
  later(process: SimProcess, delayMs: number, run: () => void): Timer
}
