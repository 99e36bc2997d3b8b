import type { ServerResponse } from 'node:http'
import { ServiceError } from '../errors/serviceError.js'

/** Thrown inside when nobody waits for the answer any more; no answer is sent. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/**
 * Runs the work of a request until it is done, its time is up (`SERVICE_UNAVAILABLE`) or the client is gone
 * (`ClientGone`). The signal given to the work is aborted in the last two cases; work that goes on regardless is waited for by nobody.
 */
export const withDeadline = async <T>(
  response: ServerResponse,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  let stop: (reason: Error) => void = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      reject(reason)
      controller.abort(reason)
    }
  })
  const onClose = (): void => {
    if (!response.writableFinished) stop(new ClientGone('The client closed the connection'))
  }
  const timer = setTimeout(
    () => stop(new ServiceError('SERVICE_UNAVAILABLE', 'The request took too long; try again')),
    milliseconds,
  )
  response.once('close', onClose)
  try {
    return await Promise.race([work(controller.signal), stopped])
  } finally {
    clearTimeout(timer)
    response.removeListener('close', onClose)
  }
}
