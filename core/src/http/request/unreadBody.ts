import type { IncomingMessage } from 'node:http'

const LINGER_MILLISECONDS = 2_000

/**
 * Lets a client that is still sending a refused body read its answer: the rest is discarded for two seconds, then the
 * connection is cut. Closing at once would reset the connection and lose the answer on its way.
 */
export const discardUnreadBody = (request: IncomingMessage): void => {
  if (request.complete || request.destroyed) return
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, LINGER_MILLISECONDS)
  timer.unref()
  const done = (): void => clearTimeout(timer)
  request.once('end', done)
  request.once('close', done)
  request.resume()
}
