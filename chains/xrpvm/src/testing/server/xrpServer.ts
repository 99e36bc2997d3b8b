import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { XrpLedger } from '../engine/xrpLedger.js'
import { accountCommands } from './commands/accountCommands.js'
import { controlCommands } from './commands/controlCommands.js'
import { historyCommands } from './commands/historyCommands.js'
import type { Params } from './commands/params.js'
import { RpcError, rpcError } from './commands/rpcError.js'
import { type Command, serverCommands } from './commands/serverCommands.js'
import { submitCommands } from './commands/submitCommands.js'
import { CONTROL, Faults, TransportFault } from './faults.js'
import { LedgerWindow } from './ledgerWindow.js'
import { Streams, Subscriber } from './streams.js'

type Answer = Readonly<Record<string, unknown>>
type Run = (method: string, params: Params) => Answer

export interface XrpServer {
  readonly port: number
  close(): Promise<void>
}

/** Serves a ledger as rippled does, over HTTP and websocket on one port of 127.0.0.1. */
export const serveXrp = async (ledger: XrpLedger, options: { readonly port: number }): Promise<XrpServer> => {
  const [window, faults] = [new LedgerWindow(ledger), new Faults()]
  const streams = new Streams(window)
  const commands: Readonly<Record<string, Command>> = {
    ...serverCommands(window),
    ...accountCommands(window),
    ...historyCommands(window),
    ...submitCommands(window),
  }
  const controls = controlCommands({ window, faults, streams })
  const run: Run = (method, params) => runCommand(commands, method, params)
  const server = createServer((request, response) => {
    void serveHttp(request, response, (method, params) =>
      method.startsWith(CONTROL)
        ? { value: control(controls, method, params) }
        : faults.run(method, () => run(method, params)),
    )
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => serveSocket(socket, { streams, faults, run }))
  const port = await listen(server, options.port)
  return {
    port,
    close: () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      // CAST: a server that listens on a port has an address with one.
      resolve((server.address() as AddressInfo).port)
    })
  })

const runCommand = (commands: Readonly<Record<string, Command>>, method: string, params: Params): Answer => {
  const { api_version = 1 } = params
  if (api_version !== 1 && api_version !== 2) throw new RpcError('invalid_API_version', { error_code: 6 })
  const command = Object.hasOwn(commands, method) ? commands[method] : undefined
  if (command === undefined) throw rpcError('unknownCmd')
  return command(params)
}

const control = (controls: ReturnType<typeof controlCommands>, method: string, params: unknown): unknown => {
  const call = controls[method]
  if (call === undefined) throw rpcError('unknownCmd')
  // CAST: control calls have their parameters in a list.
  return call(...(params as readonly unknown[]))
}

/** JSON-RPC as rippled speaks it: one call, whose errors are in `result` with status 200. */
const serveHttp = async (
  request: IncomingMessage,
  response: ServerResponse,
  run: (method: string, params: Params) => Answer,
): Promise<void> => {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const { method, params = [] } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    if (typeof method !== 'string') throw new Error('Null method')
    const given = method.startsWith(CONTROL) ? params : (params[0] ?? {})
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ result: answer(given, () => run(method, given)) }))
  } catch (error) {
    if (error instanceof TransportFault) return suffer(response, error)
    response.statusCode = 400
    response.end('Unable to parse request')
  }
}

const suffer = (response: ServerResponse, { fault }: TransportFault): void => {
  if (fault.hang === true) return
  response.statusCode = fault.status ?? (fault.garbage === undefined ? 503 : 200)
  response.end(fault.garbage ?? 'Server is overloaded')
}

const answer = (request: Params, run: () => Answer): Answer => {
  try {
    return { ...run(), status: 'success' }
  } catch (error) {
    if (error instanceof TransportFault) throw error
    if (error instanceof RpcError) return { error: error.error, ...error.details, request, status: 'error' }
    const error_message = error instanceof Error ? error.message : 'Internal error.'
    return { error: 'internal', error_code: 73, error_message, request, status: 'error' }
  }
}

interface Served {
  readonly streams: Streams
  readonly faults: Faults
  readonly run: Run
}

const serveSocket = (socket: WebSocket, { streams, faults, run }: Served): void => {
  const subscriber = new Subscriber((message) => socket.send(JSON.stringify(message)))
  streams.add(subscriber)
  socket.on('close', () => streams.remove(subscriber))
  socket.on('error', () => socket.terminate())
  const runHere: Run = (method, params) => {
    if (method === 'subscribe') return streams.subscribe(subscriber, params)
    if (method === 'unsubscribe') return streams.unsubscribe(subscriber, params)
    return run(method, params)
  }
  socket.on('message', (data) => {
    const request = parseRequest(String(data))
    if (request === null)
      return socket.send(JSON.stringify({ error: 'jsonInvalid', type: 'error', value: String(data) }))
    try {
      socket.send(
        JSON.stringify(
          socketAnswer(request, () => faults.run(request.command, () => runHere(request.command, request))),
        ),
      )
    } catch (error) {
      if (!(error instanceof TransportFault) || error.fault.hang === true) return
      if (error.fault.garbage === undefined) socket.terminate()
      else socket.send(error.fault.garbage)
    }
  })
}

const parseRequest = (text: string): (Params & { readonly command: string }) | null => {
  try {
    const request = JSON.parse(text)
    return typeof request?.command === 'string' ? request : null
  } catch {
    return null
  }
}

const socketAnswer = (request: Params, run: () => Answer): Answer => {
  const { id, api_version } = request
  const { status, ...result } = answer(request, run)
  const named = { ...(id === undefined ? {} : { id }), ...(api_version === undefined ? {} : { api_version }) }
  if (status === 'error') return { ...named, ...result, status, type: 'response' }
  return { ...named, result, status, type: 'response' }
}
