import { setMaxListeners } from 'node:events'

/** A controller that any number of questions may be asked under at once: that many listeners are no leak. */
export const sharedController = (): AbortController => {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

/** The signal under which a question is asked, and how to let go of the signals that it is made of. */
export interface QuestionSignal {
  readonly signal: AbortSignal
  release(): void
}

/** Aborts when either does, with its reason. Made by hand: `AbortSignal.any` keeps something for as long as `lasting` lives. */
export const eitherSignal = (lasting: AbortSignal, own: AbortSignal | undefined): QuestionSignal => {
  if (own === undefined) return { signal: lasting, release: () => undefined }
  const either = sharedController()
  setMaxListeners(0, own)
  const abort = () => either.abort((lasting.aborted ? lasting : own).reason)
  const sources = [lasting, own]
  for (const source of sources) source.addEventListener('abort', abort, { once: true })
  if (sources.some(({ aborted }) => aborted)) abort()
  return {
    signal: either.signal,
    release: () => {
      for (const source of sources) source.removeEventListener('abort', abort)
    },
  }
}

/** The result of work, or the signal's reason as soon as it aborts: work that knows of no signal does not hold up who asked. */
export const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
