/** Functions of the platform as they were. */
export const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  Date: globalThis.Date,
  random: Math.random,
  timeout: AbortSignal.timeout.bind(AbortSignal),
  performanceNow: performance.now.bind(performance),
  timeOrigin: performance.timeOrigin,
}

/** Resolves once all that was started has come to rest: microtasks, and what they queue. */
export const atRest = (): Promise<void> => new Promise((resolve) => real.setImmediate(resolve))

/** Resolves after so long by the machine's own clock. */
export const realPause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => real.setTimeout(resolve, milliseconds))
