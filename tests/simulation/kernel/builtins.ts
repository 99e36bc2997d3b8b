import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { EventQueue } from './eventQueue.js'
import type { Random } from './random.js'
import { real } from './realTime.js'
import { currentProcess, type SimProcess } from './simProcess.js'
import type { Timer } from './virtualTime.js'

const require = createRequire(import.meta.url)

/** What a simulated process gets from `setTimeout` and its like. */
class SimTimeout {
  timer: Timer | null = null
  /** Timers never keep a simulation alive. */
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return false
  }
  [Symbol.dispose](): void {
    this.clear()
  }
  clear(): void {
    if (this.timer !== null) this.timer.cancelled = true
    this.timer = null
  }
}

type Callback = (...values: unknown[]) => void

let kernel: EventQueue | null = null
let installed = false

/** The kernel and process whose code runs now; null in the simulation's own code. */
const inside = (): { readonly kernel: EventQueue; readonly process: SimProcess } | null => {
  const process = currentProcess()
  return process === undefined || kernel === null ? null : { kernel, process }
}

/** From now on simulated processes take time and randomness from this kernel. Once a process, all others are as before. */
export const installBuiltins = (next: EventQueue | null): void => {
  kernel = next
  if (installed) return
  installed = true
  installTimers()
  installClocks()
  installRandomness()
  syncBuiltinESMExports()
}

const later = (at: NonNullable<ReturnType<typeof inside>>, delayMs: number, run: () => void): SimTimeout => {
  const timeout = new SimTimeout()
  timeout.timer = at.kernel.later(at.process, delayMs, run)
  return timeout
}

const installTimers = (): void => {
  const set = (callback: Callback, delayMs = 0, ...values: unknown[]): unknown => {
    const at = inside()
    if (at === null) return real.setTimeout(callback, delayMs, ...values)
    return later(at, Math.max(1, delayMs), () => callback(...values))
  }
  const repeat = (callback: Callback, delayMs = 0, ...values: unknown[]): unknown => {
    const at = inside()
    if (at === null) return real.setInterval(callback, delayMs, ...values)
    const timeout = new SimTimeout()
    const again = () => {
      timeout.timer = at.kernel.later(at.process, Math.max(1, delayMs), () => {
        again()
        callback(...values)
      })
    }
    again()
    return timeout
  }
  const soon = (callback: Callback, ...values: unknown[]): unknown => {
    const at = inside()
    return at === null ? real.setImmediate(callback, ...values) : later(at, 0, () => callback(...values))
  }
  const clearing = (clear: (handle: never) => void) => (handle: unknown) => {
    if (handle instanceof SimTimeout) handle.clear()
    // CAST: whatever the platform gave it takes back.
    else clear(handle as never)
  }
  Object.assign(globalThis, {
    setTimeout: set,
    setInterval: repeat,
    setImmediate: soon,
    clearTimeout: clearing(real.clearTimeout),
    clearInterval: clearing(real.clearInterval),
    clearImmediate: clearing(real.clearImmediate),
  })
  installTimerPromises()
  AbortSignal.timeout = (milliseconds) => {
    const at = inside()
    if (at === null) return real.timeout(milliseconds)
    const over = new AbortController()
    later(at, milliseconds, () => over.abort(new DOMException('The operation timed out.', 'TimeoutError')))
    return over.signal
  }
}

interface TimerPromises {
  setTimeout(delayMs?: number, value?: unknown, options?: { readonly signal?: AbortSignal }): Promise<unknown>
  setImmediate(value?: unknown): Promise<unknown>
}

const installTimerPromises = (): void => {
  const timers: TimerPromises = require('node:timers/promises')
  const [realTimeout, realImmediate] = [timers.setTimeout, timers.setImmediate]
  timers.setTimeout = (delayMs = 1, value, options) => {
    const at = inside()
    if (at === null) return realTimeout(delayMs, value, options)
    return new Promise((resolve, reject) => {
      const { signal } = options ?? {}
      const end = () => reject(new DOMException('The operation was aborted', 'AbortError'))
      if (signal?.aborted === true) return end()
      const timeout = later(at, delayMs, () => {
        signal?.removeEventListener('abort', stop)
        resolve(value)
      })
      const stop = () => {
        timeout.clear()
        end()
      }
      signal?.addEventListener('abort', stop, { once: true })
    })
  }
  timers.setImmediate = (value) => {
    const at = inside()
    return at === null ? realImmediate(value) : new Promise((resolve) => later(at, 0, () => resolve(value)))
  }
}

const installClocks = (): void => {
  const unix = (): number | null => {
    const at = inside()
    return at === null ? null : Math.floor(at.kernel.time.unix + at.process.clockOffMs)
  }
  class SimDate extends real.Date {
    constructor(...values: unknown[]) {
      const now = values.length === 0 ? unix() : null
      // CAST: the arguments of Date, which has several forms.
      super(...((now === null ? values : [now]) as []))
    }
    static override now(): number {
      return unix() ?? real.Date.now()
    }
  }
  globalThis.Date = SimDate as DateConstructor
  Object.defineProperty(performance, 'now', {
    configurable: true,
    value: () => inside()?.kernel.time.now ?? real.performanceNow(),
  })
  Object.defineProperty(performance, 'timeOrigin', {
    configurable: true,
    get: () => inside()?.kernel.time.origin ?? real.timeOrigin,
  })
}

const fill = (bytes: Uint8Array, random: Random): void => {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = random.int(0, 255)
}

const installRandomness = (): void => {
  Math.random = () => inside()?.process.random.next() ?? real.random()
  const crypto: typeof import('node:crypto') = require('node:crypto')
  const [realBytes, realUuid] = [crypto.randomBytes, crypto.randomUUID]
  const randomBytes = (size: number, callback?: (error: Error | null, bytes: Buffer) => void) => {
    const at = inside()
    if (at === null || callback !== undefined) return Reflect.apply(realBytes, crypto, [size, callback])
    const bytes = Buffer.alloc(size)
    fill(bytes, at.process.random)
    return bytes
  }
  const randomUUID = (): string => {
    const at = inside()
    if (at === null) return realUuid()
    const bytes = Buffer.alloc(16)
    fill(bytes, at.process.random)
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
  Object.assign(crypto, { randomBytes, randomUUID })
  const { webcrypto } = crypto
  const realValues = webcrypto.getRandomValues.bind(webcrypto)
  const getRandomValues = <T extends NodeJS.ArrayBufferView>(values: T): T => {
    const at = inside()
    // CAST: typed arrays of any kind are filled byte by byte.
    if (at === null) return realValues(values as never) as T
    fill(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at.process.random)
    return values
  }
  Object.defineProperty(globalThis.crypto, 'getRandomValues', { configurable: true, value: getRandomValues })
}
