import { WebSocket } from 'ws'

/** What a websocket tells of an event (wire.md 5.1). */
export interface ToldEvent {
  readonly event: string
  readonly data: { readonly requestId: string; readonly status: string; readonly referrer: string | null }
  readonly publishedAt: number
  readonly id: string
  readonly cursor: string
}

/** A client that subscribes once connected and keeps what it hears. */
export interface SocketFollower {
  readonly events: readonly ToldEvent[]
  /** Where the stream began; null before the answer to the subscription. */
  readonly cursor: string | null
  readonly closed: Promise<number>
  end(): void
}

export const followSocket = (
  url: string,
  options: {
    readonly apiKey?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly filters?: object
    readonly cursor?: string | undefined
  },
): SocketFollower => {
  const query = options.apiKey === undefined ? '' : `?apiKey=${options.apiKey}`
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws${query}`, { headers: options.headers ?? {} })
  const events: ToldEvent[] = []
  let begun: string | null = null
  const { filters, cursor } = options
  socket.on('open', () =>
    socket.send(JSON.stringify({ type: 'subscribe', event: 'request.status.updated', filters, cursor })),
  )
  socket.on('error', () => undefined)
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString())
    if ('event' in message) events.push(message)
    if (message.type === 'subscribe') begun = message.data.cursor
  })
  return {
    events,
    get cursor() {
      return begun
    },
    closed: new Promise((resolve) => {
      socket.once('close', resolve)
      socket.once('unexpected-response', (_, answer) => {
        resolve(answer.statusCode ?? 0)
        answer.destroy()
      })
    }),
    end: () => socket.terminate(),
  }
}
