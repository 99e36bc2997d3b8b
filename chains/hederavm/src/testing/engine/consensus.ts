import { createHash } from 'node:crypto'
import { StateView } from '@causeway/core/testing'
import type { proto } from '@hiero-ledger/proto'
import { execute, hasPayerSigned, type Moment, type Order, type Outcome, resultOf } from './execute.js'
import type { LedgerTx } from './ledgerTx.js'
import type { Submitted } from './readTransaction.js'
import { checkWindow } from './rules/precheck.js'
import { storedSigners } from './rules/signatures.js'
import { scheduleIn, type View } from './state/entries.js'
import type { Ready } from './transactions/context.js'
import { transactionIdText } from './values.js'

/** Nanoseconds that consensus times leave to the children before a transaction and to a scheduled transaction after it. */
export const TIME_PER_TRANSACTION = 64n

/** Brings a transaction to consensus. Returns it after its children, and before the scheduled transaction that it lets run. */
export const reachConsensus = (
  view: View,
  submitted: Submitted,
  moment: Moment,
  isDuplicate: boolean,
): readonly LedgerTx[] => {
  const late = submitted.trusted ? 'SUCCESS' : resultOf(() => checkWindow(submitted.body, moment.now, 'consensus'))
  if (late !== 'SUCCESS') return [atConsensus(submitted, moment, { ...NO_OUTCOME, result: late })]
  const refused = isDuplicate ? { refused: 'DUPLICATE_TRANSACTION' as const } : {}
  const outcome = execute(view, { ...submitted, ...refused }, moment)
  const scheduled = outcome.ready === null ? [] : runSchedule(view, outcome.ready, submitted.node, moment)
  return [...childrenOf(submitted, moment, outcome), atConsensus(submitted, moment, outcome), ...scheduled]
}

/** A late transaction costs its payer no fee: its node should not have sent it. */
const NO_OUTCOME = { fee: 0n, transfers: [], assessed: [], made: {} }

type Identified = Pick<LedgerTx, 'transactionId' | 'kind' | 'body' | 'hash' | 'node'>

export const atConsensus = (
  { transactionId, kind, body, hash, node }: Identified,
  { now }: Pick<Moment, 'now'>,
  { result, fee, transfers, assessed, made }: Omit<Outcome, 'children' | 'ready'>,
  parent: bigint | null = null,
): LedgerTx => ({
  ...{ consensus: now, id: transactionIdText(transactionId), transactionId, kind, body, result, hash, node },
  ...{ fee, transfers, assessed, made, parent },
  nonce: transactionId.nonce ?? 0,
  scheduled: transactionId.scheduled === true,
})

/** Children have the id of their transaction with a nonce, and consensus times before it. */
const childrenOf = ({ transactionId, hash }: Submitted, { now }: Moment, { children }: Outcome): readonly LedgerTx[] =>
  children.map(({ kind, body, made }, at) => {
    const own = { kind, body, hash, node: null, transactionId: { ...transactionId, nonce: at + 1 } }
    const time = now - BigInt(children.length - at)
    return atConsensus(own, { now: time }, { ...NO_OUTCOME, result: 'SUCCESS', made }, now)
  })

/** Runs a schedule if it has all signatures, right after the transaction that gave the last one. */
const runSchedule = (
  view: View,
  { schedule: id, signers }: Ready,
  node: string,
  moment: Moment,
): readonly LedgerTx[] => {
  const schedule = scheduleIn(view, id)
  const inner = schedule?.made.scheduledTransactionBody
  if (schedule === null || !inner) return []
  const transactionId = { ...schedule.transactionId, scheduled: true }
  const { memo, cryptoTransfer, transactionFee } = inner
  const body = { transactionID: transactionId, memo, cryptoTransfer, transactionFee } as proto.ITransactionBody
  const keys = { signers: storedSigners(signers), trusted: false }
  const order: Order = { ...keys, kind: 'cryptoTransfer', body, transactionId, node, payer: schedule.payer }
  if (!hasPayerSigned(view, order)) return []
  const trial: View = new StateView(view)
  const outcome = execute(trial, order, moment)
  if (outcome.result === 'INVALID_SIGNATURE') return []
  trial.put({ ...schedule, executed: true })
  view.take(trial.changes())
  const own = {
    kind: order.kind,
    body,
    hash: createHash('sha384').update(schedule.index).digest(),
    node: null,
    transactionId,
  }
  return [atConsensus(own, { now: moment.now + 1n }, outcome)]
}
