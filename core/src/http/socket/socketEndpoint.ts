import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** A client that asks for a websocket. */
export interface SocketCall {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** What the client sent behind its request already. */
  readonly head: Buffer
  /** Address of the client, told as for every other call (trusted proxies). */
  readonly ip: string
}

/** Where a plugin serves websockets, on the port of the API. */
export interface SocketEndpoint {
  /** Whole paths, such as `/ws`; a slash at the end of a request's is tolerated. */
  readonly paths: readonly string[]
  /** Takes over the connection of a client. Must not throw. */
  open(call: SocketCall): void
  /** The process stops: takes nobody in any more and says goodbye. Resolves when the last socket is gone, soon. */
  close(): Promise<void>
}
