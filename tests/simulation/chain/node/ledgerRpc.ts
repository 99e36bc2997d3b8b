import type { Movement } from '../ledgerTruth.js'
import type { LedgerView } from './ledgerView.js'

export interface LedgerCall {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

/** The calls of a request, whether it is one or a batch. */
export const callsOf = (body: string): readonly LedgerCall[] => {
  // CAST: only JSON-RPC is spoken here.
  const asked = JSON.parse(body) as LedgerCall | readonly LedgerCall[]
  return [asked].flat() as readonly LedgerCall[]
}

/** The text that answers a request from what a node shows. */
export const answerText = (body: string, view: LedgerView): string => {
  const answers = callsOf(body).map((call) => answerOf(call, view))
  return JSON.stringify(body.startsWith('[') ? answers : answers[0])
}

const answerOf = ({ id, method, params }: LedgerCall, view: LedgerView) => {
  try {
    return { jsonrpc: '2.0', id, result: resultOf(method, params, view) }
  } catch (error) {
    return { jsonrpc: '2.0', id, error: { code: -32000, message: error instanceof Error ? error.message : 'FAILED' } }
  }
}

const resultOf = (method: string, [first, second, third]: readonly unknown[], view: LedgerView): unknown => {
  switch (method) {
    case 'ledger_network':
      return view.network
    case 'ledger_head':
      return view.head
    case 'ledger_history':
      return 0
    case 'ledger_block':
      return view.block(Number(first))
    case 'ledger_record':
      return view.record(String(first))
    case 'ledger_records':
      return view.recordsOf(String(first), Number(second), Number(third))
    case 'ledger_blocks':
      return view.recordsIn(Number(first), Number(second))
    case 'ledger_pending':
      return view.pendingOf(String(first))
    case 'ledger_balance':
      return view.balance(String(first), String(second)).toString()
    case 'ledger_sequence':
      return view.sequence(String(first))
    case 'ledger_fee':
      return view.fee.toString()
    case 'ledger_check':
      // CAST: the adapter asks with these fields.
      return view.check(first as Movement)
    case 'ledger_submit':
      return view.submit(String(first))
    default:
      throw new Error('UNKNOWN_METHOD')
  }
}
