import WebSocket from 'ws'

const PATIENCE_MS = 30_000

/** Subscribes to an account of a Solana node. Resolves when the node listens; `seen` with the time of the first change. */
export const watchAccount = async (wsUrl: string, address: string): Promise<{ readonly seen: Promise<number> }> => {
  const socket = new WebSocket(wsUrl)
  const answers = messagesOf(socket)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const params = [address, { commitment: 'processed', encoding: 'base64' }]
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'accountSubscribe', params }))
  await answers.first('id')
  const seen = answers.first('params').finally(() => socket.terminate())
  // Whoever waits for it hears of a failure.
  seen.catch(() => undefined)
  return { seen }
}

/** When the first message with a member came in. */
const messagesOf = (socket: WebSocket) => ({
  first: (member: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The node said nothing in time.')), PATIENCE_MS)
      socket.on('message', (data) => {
        if (!Object.hasOwn(Object(JSON.parse(String(data))), member)) return
        clearTimeout(timer)
        resolve(performance.now())
      })
    }),
})
