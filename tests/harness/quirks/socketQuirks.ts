import type { Socket } from 'node:net'
import WebSocket from 'ws'

/** The connection of a client, as a quirk uses it. */
export interface QuirkConnection {
  /** Sends a text as a message. */
  send(text: string): void
  readonly raw: Socket
}

/** A websocket of a node that does something else with its pushes than it should. */
export interface SocketQuirk {
  readonly what: string
  push(message: object, connection: QuirkConnection): void
}

/** A push with another content: `params.result` of JSON-RPC, or all but the type of a message of the XRP Ledger. */
const altered = (message: object, change: (content: unknown) => unknown): string => {
  const params: unknown = Reflect.get(message, 'params')
  if (typeof params === 'object' && params !== null)
    return JSON.stringify({ ...message, params: { ...params, result: change(Reflect.get(params, 'result')) } })
  return JSON.stringify({ ...Object(change(message)), type: Reflect.get(message, 'type') })
}

const alters = (what: string, change: (content: unknown) => unknown): SocketQuirk => ({
  what,
  push: (message, { send }) => send(altered(message, change)),
})

const without = (names: readonly string[]) => (content: unknown) =>
  Object.fromEntries(Object.entries(Object(content)).filter(([name]) => !names.includes(name)))

/** A text frame that says that 4,096 bytes follow, of which four do. */
const BROKEN_FRAME = Buffer.from([0x81, 0x7e, 0x10, 0x00, 1, 2, 3, 4])

/** How websockets of nodes misbehave, by seed. */
export const socketQuirks: readonly SocketQuirk[] = [
  alters('pushes null', () => null),
  alters('pushes a text', () => 'strange'),
  alters('pushes without hashes and slots', without(['hash', 'ledger_hash', 'slot', 'blockNumber'])),
  alters('pushes a base fee that is null', (content) => ({ ...Object(content), baseFeePerGas: null, fee_base: null })),
  alters('pushes 1 MB', (content) => ({ ...Object(content), more: 'x'.repeat(1024 * 1024) })),
  { what: 'is silent', push: () => undefined },
  {
    what: 'pushes each message a hundred times',
    push: (message, { send }) => {
      for (let times = 0; times < 100; times += 1) send(JSON.stringify(message))
    },
  },
  { what: 'closes in the middle of a frame', push: (_, { raw }) => void raw.end(BROKEN_FRAME) },
]

/** Answers to a client's own messages name its id; all else is pushed. */
const isPush = (message: object): boolean =>
  Reflect.has(message, 'params') || !['response', undefined].includes(Reflect.get(message, 'type'))

/** Relays a connection to the websocket of a node, its pushes as the quirk of the moment does. */
export const relaySocket = (
  client: WebSocket,
  { raw, url, quirk }: { readonly raw: Socket; readonly url: string; quirk(): SocketQuirk | null },
): void => {
  const node = new WebSocket(url)
  const waiting: string[] = []
  const send = (text: string) => {
    if (client.readyState === WebSocket.OPEN) client.send(text)
  }
  client.on('message', (data) => {
    if (node.readyState === WebSocket.OPEN) node.send(String(data))
    else waiting.push(String(data))
  })
  node.on('open', () => {
    for (const text of waiting.splice(0)) node.send(text)
  })
  node.on('message', (data) => {
    const text = String(data)
    const message: object = JSON.parse(text)
    const odd = isPush(message) ? quirk() : null
    if (odd === null) send(text)
    else odd.push(message, { send, raw })
  })
  for (const [one, other] of [
    [client, node],
    [node, client],
  ] as const) {
    one.on('close', () => other.terminate())
    one.on('error', () => other.terminate())
  }
}
