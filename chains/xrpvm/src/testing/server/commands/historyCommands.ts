import type { HeightRange } from '@causeway/core/testing'
import type { LedgerWindow } from '../ledgerWindow.js'
import { accountParam, limitParam, numberParam, type Params } from './params.js'
import { rpcError } from './rpcError.js'
import type { Command } from './serverCommands.js'
import { placedFields, shownTx } from './transactionAnswer.js'

const MOST_LISTED = 200
const MOST_SEARCHED = 1000
const NO_END = 0xffff_ffff

/** Commands about what happened. */
export const historyCommands = (window: LedgerWindow): Readonly<Record<string, Command>> => ({
  tx: (params) => answerTx(window, params),
  account_tx: (params) => answerHistory(window, params),
})

const answerTx = (window: LedgerWindow, params: Params): ReturnType<Command> => {
  const { transaction, binary } = params
  if (binary === true) throw rpcError('notImpl')
  if (typeof transaction !== 'string' || !/^[0-9A-Fa-f]{64}$/.test(transaction)) {
    throw rpcError(transaction === undefined ? 'invalidParams' : 'notImpl')
  }
  const { ledger, view } = window
  const searched = searchedRange(params)
  const hash = transaction.toUpperCase()
  const found = view.find(hash)
  if (found !== null) return placedFields(found)
  const isNew = view.isCurrent && ledger.blocks.find(hash) === undefined
  const waiting = isNew ? ledger.open.waiting.find((pending) => pending.hash === hash) : undefined
  if (waiting !== undefined) return { tx_json: shownTx(waiting.tx), hash, validated: false }
  throw rpcError('txnNotFound', searched === null ? {} : { searched_all: window.isComplete(searched) })
}

const searchedRange = (params: Params): HeightRange | null => {
  const [first, last] = [numberParam(params, 'min_ledger'), numberParam(params, 'max_ledger')]
  if (first === undefined || last === undefined) return null
  if (first < 0 || last < first) throw rpcError('invalidLgrRange')
  if (last - first > MOST_SEARCHED) throw rpcError('excessiveLgrRange')
  return [first, last]
}

const answerHistory = (window: LedgerWindow, params: Params): ReturnType<Command> => {
  if (params.binary === true) throw rpcError('notImpl')
  const account = accountParam(params)
  const [first, last] = historyRange(window, params)
  const limit = limitParam(params, MOST_LISTED, window)
  const own = window.view.history(account, first, last)
  const ordered = params.forward === true ? own : own.toReversed()
  // A marker names the first transaction of the next page.
  const { ledger, seq }: { ledger?: unknown; seq?: unknown } = Object(params.marker)
  const isMarked = ({ tx, block }: (typeof own)[number]) => block.height === ledger && tx.meta.TransactionIndex === seq
  const from = params.marker === undefined ? 0 : ordered.findIndex(isMarked)
  if (from === -1) throw rpcError('invalidParams', { error_message: 'invalid marker' })
  const next = ordered[from + limit]
  return {
    account,
    ...{ ledger_index_min: first, ledger_index_max: last, limit, validated: true },
    ...(next === undefined ? {} : { marker: { ledger: next.block.height, seq: next.tx.meta.TransactionIndex } }),
    transactions: ordered.slice(from, from + limit).map(placedFields),
  }
}

/** The range that is asked for, within the history of the server. */
const historyRange = (window: LedgerWindow, params: Params): HeightRange => {
  const [least, most] = window.searchable()
  const [min, max] = [numberParam(params, 'ledger_index_min'), numberParam(params, 'ledger_index_max')]
  if (min === undefined && max === undefined) return namedLedger(window, params) ?? [least, most]
  const first = min === undefined || min < 0 ? 0 : min
  const last = max === undefined || max < 0 ? NO_END : max
  if ((last > most && last !== NO_END) || (first < least && first !== 0)) throw rpcError('lgrIdxMalformed')
  const within: HeightRange = [Math.max(first, least), Math.min(last, most)]
  if (within[1] < within[0]) throw rpcError('invalidLgrRange')
  return within
}

const namedLedger = (window: LedgerWindow, params: Params): HeightRange | null => {
  if (params.ledger_index === undefined && params.ledger_hash === undefined) return null
  const { number, closed } = window.asked(params)
  if (closed === null) throw rpcError('lgrNotValidated')
  return [number, number]
}
