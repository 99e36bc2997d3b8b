import type { LedgerTx } from '../../engine/closedLedger.js'
import type { LedgerRange, LedgerWindow } from '../ledgerWindow.js'
import { accountParam, isV2, limitParam, numberParam, type Params } from './params.js'
import { rpcError } from './rpcError.js'
import type { Command } from './serverCommands.js'
import { historyAnswer, txAnswer } from './transactionAnswer.js'

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
  const searched = searchedRange(params)
  const shape = { v2: isV2(params), networkId: window.ledger.rules.networkId }
  const hash = transaction.toUpperCase()
  const found = window.transaction(hash)
  if (found !== undefined) return txAnswer(found, window.ledger.closed(found.ledger), shape)
  const isNew = window.lag === 0 && window.ledger.transaction(hash) === undefined
  const waiting = isNew ? window.ledger.open.waiting.find((pending) => pending.hash === hash) : undefined
  if (waiting !== undefined) return txAnswer(waiting, null, shape)
  throw rpcError('txnNotFound', searched === null ? {} : { searched_all: window.isComplete(searched) })
}

const searchedRange = (params: Params): LedgerRange | null => {
  const [first, last] = [numberParam(params, 'min_ledger'), numberParam(params, 'max_ledger')]
  if (first === undefined || last === undefined) return null
  if (first < 0 || last < first) throw rpcError('invalidLgrRange')
  if (last - first > MOST_SEARCHED) throw rpcError('excessiveLgrRange')
  return [first, last]
}

const answerHistory = (window: LedgerWindow, params: Params): ReturnType<Command> => {
  if (params.binary === true) throw rpcError('notImpl')
  const v2 = isV2(params)
  const account = accountParam(params)
  const [first, last] = historyRange(window, params)
  const limit = limitParam(params, MOST_LISTED)
  const forward = params.forward === true
  const own = window.ledger.history(account).filter(({ ledger }) => first <= ledger && ledger <= last)
  const ordered = forward ? own : own.toReversed()
  const from = params.marker === undefined ? 0 : ordered.findIndex((one) => isAt(one, params.marker))
  if (from === -1) throw rpcError('invalidParams', { error_message: 'invalid marker' })
  const next = ordered[from + limit]
  return {
    account,
    ...{ ledger_index_min: first, ledger_index_max: last, limit, validated: true },
    ...(next === undefined ? {} : { marker: { ledger: next.ledger, seq: next.meta.TransactionIndex } }),
    transactions: ordered
      .slice(from, from + limit)
      .map((one) => historyAnswer(one, window.ledger.closed(one.ledger), v2)),
  }
}

/** A marker names the first of the next page. */
const isAt = ({ ledger, meta }: LedgerTx, marker: unknown): boolean => {
  const { ledger: number, seq }: { ledger?: unknown; seq?: unknown } = Object(marker)
  return ledger === number && meta.TransactionIndex === seq
}

/** What is asked for, within what the server has: versions differ in what they say of the rest. */
const historyRange = (window: LedgerWindow, params: Params): LedgerRange => {
  const v2 = isV2(params)
  const [least, most] = window.searchable()
  const [min, max] = [numberParam(params, 'ledger_index_min'), numberParam(params, 'ledger_index_max')]
  if (min === undefined && max === undefined) return namedLedger(window, params) ?? [least, most]
  const first = min === undefined || min < 0 ? 0 : min
  const last = max === undefined || max < 0 ? NO_END : max
  if (v2 && ((last > most && last !== NO_END) || (first < least && first !== 0))) throw rpcError('lgrIdxMalformed')
  const within: LedgerRange = [Math.max(first, least), Math.min(last, most)]
  if (within[1] < within[0]) throw rpcError(v2 ? 'invalidLgrRange' : 'lgrIdxsInvalid')
  return within
}

const namedLedger = (window: LedgerWindow, params: Params): LedgerRange | null => {
  if (params.ledger_index === undefined && params.ledger_hash === undefined) return null
  const { number, closed } = window.asked(params)
  if (closed === null) throw rpcError('lgrNotValidated')
  return [number, number]
}
