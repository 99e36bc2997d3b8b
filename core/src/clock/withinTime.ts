/** After the limit, how often and for how long the process is given to what has arrived, in parts of the limit. */
const STEPS = 5
const STEP = 1 / 20

/**
 * What `work` gives, unless nothing has come of it after so many milliseconds and a quarter of them more: then its signal aborts.
 * `AbortSignal.timeout` alone would end what has long been answered while the process was too busy to read it, since timers are looked
 * at before what has arrived. The quarter is waited in steps, between each of which arrivals are read.
 * @throws Error when the time is over, and what `work` throws
 */
export const withinTime = async <Result>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const controller = new AbortController()
  const { signal } = controller
  let isDone = false
  let left = STEPS
  const step = (): void => {
    if (isDone) return
    if (left === 0) controller.abort(new Error('It did not answer in time'))
    else setTimeout(step, ms * STEP)
    left -= 1
  }
  AbortSignal.timeout(ms).addEventListener('abort', step, { once: true })
  // Whoever does not heed the signal is not waited for.
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    return await Promise.race([work(signal), late])
  } finally {
    isDone = true
  }
}
