import WebSocket from 'ws'
import { until } from '../../harness/until.js'

const TIME_LIMIT_MS = 60_000

/** Sees transactions the moment a node takes them into its pool, whoever sends them. */
export class PendingWatch {
  readonly #socket: WebSocket
  /** When each was seen, by `performance.now()`, in their order. */
  #seenAt: number[] = []

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  /** Resolves when the node has confirmed the subscription. */
  static open(wsUrl: string): Promise<PendingWatch> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(wsUrl)
      const watch = new PendingWatch(socket)
      socket.on('error', reject)
      socket.on('open', () => {
        const params = ['newPendingTransactions']
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
      })
      socket.on('message', (text: Buffer) => {
        // CAST: a node's answer; only these fields are read.
        const message = JSON.parse(text.toString()) as { id?: number; params?: object }
        if (message.id === 1) resolve(watch)
        else if (message.params !== undefined) watch.#seenAt.push(performance.now())
      })
    })
  }

  /** What comes from now on is counted from the first. */
  forget(): void {
    this.#seenAt = []
  }

  /** When the n-th since then was seen. */
  async seen(count: number): Promise<number> {
    return until(
      `${count} transactions in the pool`,
      async () => this.#seenAt[count - 1] ?? null,
      TIME_LIMIT_MS,
      // The time that counts is taken when it comes.
      1,
    )
  }

  close(): void {
    this.#socket.close()
  }
}
