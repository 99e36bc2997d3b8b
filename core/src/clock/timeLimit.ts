/** Of a time limit, what one hold-up of the process takes away at most. */
const SLICES = 10

/**
 * A signal that aborts after so many milliseconds of waiting, with an Error that says so. In place of `AbortSignal.timeout`
 * where the answer may be here already while the process is too busy to read it: timers are looked at before what has
 * arrived, so that a limit shorter than the hold-up would end what has long been answered. A hold-up counts as a tenth of
 * the limit at most. Nothing is kept alive by it.
 */
export const timeLimit = (ms: number): AbortSignal => {
  const controller = new AbortController()
  let left = SLICES
  const next = (): void => {
    if (left === 0) controller.abort(new Error('It did not answer in time'))
    else setTimeout(next, ms / SLICES).unref()
    left -= 1
  }
  next()
  return controller.signal
}
