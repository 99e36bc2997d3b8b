import type { IncomingMessage } from 'node:http'

/** Which listener of the process a request came in by. */
export type ListenerName = 'main' | 'console'

/** Known by the connection alone: no header, and so no proxy and no client, can say it. */
const ofConsole = new WeakSet<IncomingMessage>()

/** Notes what the listener itself knows; most requests come in by the main one, which notes nothing. */
export const noteListener = (request: IncomingMessage, name: ListenerName): void => {
  if (name === 'console') ofConsole.add(request)
}

export const listenerOf = (request: IncomingMessage): ListenerName => (ofConsole.has(request) ? 'console' : 'main')

/** Whether a path is one of the operator console, page or operation. */
export const isConsolePath = (path: string): boolean => path === '/console' || path.startsWith('/console/')
