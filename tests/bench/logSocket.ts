import WebSocket from 'ws'

export interface SeenLog {
  readonly topics: readonly string[]
  readonly data: string
  readonly transactionHash: string
}

/** Logs of a node by a websocket that does nothing else. */
export interface LogSocket {
  close(): void
}

/** Subscribes to the logs that match; resolves when the node has confirmed it. */
export const subscribeLogs = (
  wsUrl: string,
  filter: { readonly address: string; readonly topics?: readonly (string | null)[] },
  onLog: (log: SeenLog) => void,
): Promise<LogSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(wsUrl)
    socket.on('error', reject)
    socket.on('open', () => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['logs', filter] }))
    })
    socket.on('message', (text: Buffer) => {
      // CAST: a node's answer; only these fields are read.
      const message = JSON.parse(text.toString()) as { id?: number; params?: { result: SeenLog } }
      if (message.id === 1) resolve({ close: () => socket.close() })
      else if (message.params !== undefined) onLog(message.params.result)
    })
  })
