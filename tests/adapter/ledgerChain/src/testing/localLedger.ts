import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LedgerBlock, LedgerRecord, LedgerTransfer } from '../transaction.js'
import { LedgerEngine } from './ledgerEngine.js'

/** A ledger behind an HTTP server on a free port. */
export interface LocalLedger {
  readonly url: string
  readonly engine: LedgerEngine
  close(): Promise<void>
}

export interface LocalLedgerOptions {
  readonly network?: string
  /** Serves a ledger that is there already. */
  readonly engine?: LedgerEngine
  /** Shows this height as the newest for ever. */
  readonly frozenAt?: number
  /** Has no transfers of blocks below this height, but the blocks without them. */
  readonly history?: number
  /** Shows other blocks than every other node of the ledger. */
  readonly forked?: boolean
}

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

/** Starts a local ledger, or another node of one. */
export const startLocalLedger = async (options: LocalLedgerOptions = {}): Promise<LocalLedger> => {
  const engine = options.engine ?? new LedgerEngine(options.network ?? 'local')
  const server = createServer((incoming, outgoing) => {
    textOf(incoming)
      .then((text) => {
        // CAST: only JSON-RPC is spoken here.
        const asked = JSON.parse(text) as Call | readonly Call[]
        const answers = [asked].flat().map((call) => answer(call as Call, engine, options))
        outgoing.writeHead(200, { 'content-type': 'application/json' })
        outgoing.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]))
      })
      .catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: a listening TCP server has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    engine,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const textOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const answer = ({ id, method, params }: Call, engine: LedgerEngine, options: LocalLedgerOptions) => {
  try {
    return { jsonrpc: '2.0', id, result: resultOf(method, params, engine, options) }
  } catch (error) {
    return { jsonrpc: '2.0', id, error: { code: -32000, message: error instanceof Error ? error.message : 'FAILED' } }
  }
}

const resultOf = (
  method: string,
  params: readonly unknown[],
  engine: LedgerEngine,
  { frozenAt, history = 0, forked = false }: LocalLedgerOptions,
): unknown => {
  const [first, second, third] = params
  const shown = (block: LedgerBlock | null) =>
    block !== null && forked ? { ...block, hash: `f${block.hash.slice(1)}` } : block
  const known = (record: LedgerRecord | null) => ((record?.block?.height ?? history) < history ? null : record)
  switch (method) {
    case 'ledger_network':
      return engine.network
    case 'ledger_head':
      return shown(frozenAt === undefined ? engine.head : engine.block(frozenAt))
    case 'ledger_block':
      return shown(engine.block(Number(first)))
    case 'ledger_history':
      return history
    case 'ledger_record':
      return known(engine.record(String(first)))
    case 'ledger_records':
      return engine.recordsOf(String(first), Math.max(Number(second), history), Number(third))
    case 'ledger_balance':
      return engine.balance(String(first), String(second)).toString()
    case 'ledger_check':
      // CAST: the adapter asks with these fields.
      return engine.check(first as LedgerTransfer)
    case 'ledger_submit':
      return engine.submit(String(first))
    default:
      throw new Error('UNKNOWN_METHOD')
  }
}
