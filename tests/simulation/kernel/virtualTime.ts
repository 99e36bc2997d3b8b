import { closeSync, openSync, writeSync } from 'node:fs'
import type { SimProcess } from './simProcess.js'

/** Something that is to happen at a time. */
export interface Timer {
  readonly process: SimProcess
  readonly at: number
  /** Ties are broken by the order in which they were set. */
  readonly number: number
  readonly run: () => void
  cancelled: boolean
}

/** The time of the whole world: it stands still while something can happen, and goes on to the next timer when nothing can. */
export class VirtualTime {
  /** Unix milliseconds at the beginning. */
  readonly origin: number
  /** Milliseconds since the beginning. */
  now = 0
  /** How wrong the clock of the database server is, milliseconds. */
  databaseOffMs = 0
  readonly #heap: Timer[] = []
  readonly #file: number | null
  #numbers = 0

  /** `file`: where the database reads its time from; its folder must be there. */
  constructor(origin: number, file: string | null) {
    this.origin = origin
    this.#file = file === null ? null : openSync(file, 'w', 0o644)
    this.advance(0)
  }

  /** Unix milliseconds. */
  get unix(): number {
    return this.origin + this.now
  }

  set(process: SimProcess, delayMs: number, run: () => void): Timer {
    const at = this.now + Math.max(0, delayMs)
    this.#numbers += 1
    const timer = { process, at, number: this.#numbers, run, cancelled: false }
    this.#push(timer)
    return timer
  }

  /** When the next timer is due; null without one. */
  next(): number | null {
    while (this.#heap[0]?.cancelled === true) this.#pop()
    return this.#heap[0]?.at ?? null
  }

  /** Takes out the timers that are due. */
  due(): Timer[] {
    const due: Timer[] = []
    for (let at = this.next(); at !== null && at <= this.now; at = this.next()) {
      const timer = this.#pop()
      if (timer !== undefined) due.push(timer)
    }
    return due
  }

  advance(to: number): void {
    this.now = Math.max(this.now, to)
    if (this.#file === null) return
    const text = (this.unix + this.databaseOffMs).toFixed(3)
    writeSync(this.#file, text.padEnd(20), 0)
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file)
  }

  #push(timer: Timer): void {
    const heap = this.#heap
    heap.push(timer)
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!isBefore(heap, at, parent)) break
      swap(heap, at, parent)
      at = parent
    }
  }

  #pop(): Timer | undefined {
    const heap = this.#heap
    const last = heap.length - 1
    swap(heap, 0, last)
    const first = heap.pop()
    for (let at = 0; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < last && isBefore(heap, child, least)) least = child
      if (least === at) return first
      swap(heap, at, least)
      at = least
    }
  }
}

const isBefore = (heap: readonly Timer[], left: number, right: number): boolean => {
  const [one, other] = [heap[left], heap[right]]
  if (one === undefined || other === undefined) return false
  return one.at < other.at || (one.at === other.at && one.number < other.number)
}

const swap = (heap: Timer[], left: number, right: number): void => {
  const [one, other] = [heap[left], heap[right]]
  if (one === undefined || other === undefined) return
  heap[left] = other
  heap[right] = one
}
