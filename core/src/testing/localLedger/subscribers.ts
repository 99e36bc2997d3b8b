import type { NodeSocket } from './nodeServer.js'

/** Clients that listen over a websocket, each with its subject: the topics it subscribed to. */
export class Subscribers<S> {
  readonly #all = new Map<NodeSocket, S>()

  /** Adds a client until its connection ends. Returns `subject`. */
  add(socket: NodeSocket, subject: S): S {
    this.#all.set(socket, subject)
    socket.onClose(() => this.#all.delete(socket))
    return subject
  }

  /** Sends to each client what `message` returns for its subject, unless that is undefined. */
  send(message: (subject: S) => unknown): void {
    for (const [socket, subject] of this.#all) {
      const own = message(subject)
      if (own !== undefined) socket.send(own)
    }
  }
}
