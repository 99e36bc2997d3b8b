import { encode } from 'ripple-binary-codec'
import { checkMemos, decodeBlob, nameTransaction, readBlob, UnreadableBlob } from '../../engine/readBlob.js'
import { isIncluded, resultNumber } from '../../engine/refusal.js'
import { accountIn } from '../../engine/state/accounts.js'
import type { Tx } from '../../engine/transaction.js'
import { describeTransaction, type XrpLedger } from '../../engine/xrpLedger.js'
import type { LedgerWindow } from '../ledgerWindow.js'
import type { Params } from './params.js'
import { RpcError, rpcError } from './rpcError.js'
import type { Command } from './serverCommands.js'
import { shownTx } from './transactionAnswer.js'

/** Commands that take a transaction. */
export const submitCommands = (window: LedgerWindow): Readonly<Record<string, Command>> => ({
  submit: (params) => unreadable(() => submit(window, params)),
  simulate: (params) => unreadable(() => simulate(window.ledger, params)),
})

const unreadable = <T>(run: () => T): T => {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof UnreadableBlob)) throw error
    if (error.error === 'invalidParams') throw rpcError('invalidParams')
    throw new RpcError('invalidTransaction', { error_exception: error.message })
  }
}

export const resultFields = (code: string) => ({
  engine_result: code,
  engine_result_code: resultNumber(code),
  engine_result_message: code,
})

const submit = (window: LedgerWindow, params: Params): ReturnType<Command> => {
  const { ledger } = window
  const { tx_blob } = params
  // Signing is a server's business nowhere but on a key holder's own machine.
  if (typeof tx_blob !== 'string') throw rpcError('invalidParams', { error_message: "Missing field 'tx_blob'." })
  const named = readBlob(tx_blob)
  const code = ledger.submit(named)
  const applied = isIncluded(code)
  const kept = applied || ledger.open.has(named.hash)
  return {
    ...{ ...resultFields(code), accepted: kept, applied, broadcast: kept, kept, queued: code === 'terQUEUED' },
    ...nextSequences(ledger, named.tx.Account),
    open_ledger_cost: `${ledger.costOf(named.tx)}`,
    tx_blob: named.blob,
    tx_json: { ...shownTx(named.tx), hash: named.hash },
    validated_ledger_index: window.validated.height,
  }
}

const simulate = (ledger: XrpLedger, params: Params): ReturnType<Command> => {
  const { tx_blob, tx_json } = params
  if ((tx_blob === undefined) === (tx_json === undefined)) throw rpcError('invalidParams')
  // CAST: fields of a type are checked where it is applied; what cannot be encoded is refused.
  const given = (typeof tx_blob === 'string' ? decodeBlob(tx_blob) : Object(tx_json)) as Partial<Tx>
  if ((given.TxnSignature ?? '') !== '' || given.Signers !== undefined) throw rpcError('transactionSigned')
  const tx = filled(ledger, given)
  const named = encoded(tx)
  checkMemos(tx)
  const outcome = ledger.simulate(named.tx)
  const { meta } = describeTransaction(named, outcome, 0)
  return {
    ...{ ...resultFields(outcome.code), applied: false, ledger_index: ledger.place.ledger },
    ...(isIncluded(outcome.code) ? { meta } : {}),
    tx_json: { ...shownTx(tx), hash: named.hash },
  }
}

/** What a server fills in for whoever only wants to know. */
const filled = (
  ledger: XrpLedger,
  { DeliverMax, ...given }: Partial<Tx> & { readonly DeliverMax?: Tx['Amount'] },
): Tx => {
  if (given.TransactionType === undefined || given.Account === undefined) throw rpcError('invalidParams')
  const { TransactionType, Account, TicketSequence } = given
  const { account_sequence_available: next } = nextSequences(ledger, Account)
  const Amount = DeliverMax === undefined ? {} : { Amount: DeliverMax }
  const Sequence = TicketSequence === undefined ? next : 0
  return ledger.filled({ Sequence, ...Amount, ...given, TransactionType, Account })
}

const encoded = (tx: Tx) => {
  try {
    encode({ ...tx })
    return nameTransaction(tx)
  } catch {
    throw rpcError('invalidParams')
  }
}

/** The next number of an account: in the open ledger, and after what it has in the queue too. */
const nextSequences = (ledger: XrpLedger, account: string) => {
  const available = accountIn(ledger.open.state, account)?.Sequence ?? 0
  const queued = ledger.open.queued.filter(({ tx }) => tx.Account === account && tx.TicketSequence === undefined)
  const next = Math.max(available, ...queued.map(({ tx }) => tx.Sequence + 1))
  return { account_sequence_available: next, account_sequence_next: available }
}
