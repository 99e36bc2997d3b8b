import { CallError, type LedgerNode, METHOD_MISSING, type NodeDialect, type NodeSocket } from '@causeway/core/testing'
import type { ClosedLedger, LedgerTx } from '../engine/closedLedger.js'
import type { XrpLedger } from '../engine/xrpLedger.js'
import { accountCommands } from './commands/accountCommands.js'
import { historyCommands } from './commands/historyCommands.js'
import type { Params } from './commands/params.js'
import { isErrorName, RpcError, rpcError } from './commands/rpcError.js'
import { type Command, serverCommands } from './commands/serverCommands.js'
import { submitCommands } from './commands/submitCommands.js'
import { LedgerWindow } from './ledgerWindow.js'
import { Streams } from './streams.js'

type Answer = Readonly<Record<string, unknown>>
type Commands = Readonly<Record<string, Command>>

/** Version of the interface that the server speaks; a call may leave it out. */
const API_VERSION = 2

/** A server that speaks as rippled does, over HTTP and websocket. */
export const xrpServer = ({ engine, view, run }: LedgerNode<LedgerTx, ClosedLedger, XrpLedger>): NodeDialect => {
  const window = new LedgerWindow(engine, view)
  const streams = new Streams(window)
  const commands: Commands = {
    ...serverCommands(window),
    ...accountCommands(window),
    ...historyCommands(window),
    ...submitCommands(window),
  }
  const ask = (own: Commands, method: string, params: Params): Promise<Answer> =>
    answer(params, () => run(method, () => runCommand(own, method, params)))
  return {
    http: async ({ body }) => {
      const { method, params: [params = {}] = [] } = JSON.parse(body)
      if (typeof method !== 'string') throw new SyntaxError('Null method')
      return { body: JSON.stringify({ result: await ask(commands, method, params) }) }
    },
    socket: (socket) => {
      const own = { ...commands, ...streams.open(socket) }
      return (text) => answerMessage(socket, text, (request) => ask(own, request.command, request))
    },
  }
}

const runCommand = (commands: Commands, method: string, params: Params): Answer => {
  if ((params.api_version ?? API_VERSION) !== API_VERSION) throw new RpcError('invalid_API_version', { error_code: 6 })
  const command = Object.hasOwn(commands, method) ? commands[method] : undefined
  if (command === undefined) throw rpcError('unknownCmd')
  return command(params)
}

/** An error is an answer with the status 200. */
const answer = async (request: Params, call: () => Promise<Answer>): Promise<Answer> => {
  try {
    return { ...(await call()), status: 'success' }
  } catch (error) {
    const { error: name, details } = errorOf(error)
    return { error: name, ...details, request, status: 'error' }
  }
}

/** The error of a fault has rippled's name of it as its message. */
const errorOf = (error: unknown): RpcError => {
  if (error instanceof RpcError) return error
  if (!(error instanceof CallError)) throw error
  const { code, message } = error
  if (code === METHOD_MISSING) return rpcError('unknownCmd')
  if (isErrorName(message)) return rpcError(message)
  return new RpcError(/^\w+$/.test(message) ? message : 'internal', { error_code: code, error_message: message })
}

interface Request extends Params {
  readonly command: string
}

const answerMessage = async (
  socket: NodeSocket,
  text: string,
  ask: (request: Request) => Promise<Answer>,
): Promise<void> => {
  const request = parseRequest(text)
  if (request === null) return socket.send({ error: 'jsonInvalid', type: 'error', value: text })
  const { id, api_version } = request
  const { status, ...result } = await ask(request)
  const named = { ...(id === undefined ? {} : { id }), ...(api_version === undefined ? {} : { api_version }) }
  socket.send({ ...named, ...(status === 'error' ? result : { result }), status, type: 'response' })
}

const parseRequest = (text: string): Request | null => {
  try {
    const request = JSON.parse(text)
    return typeof request?.command === 'string' ? request : null
  } catch {
    return null
  }
}
