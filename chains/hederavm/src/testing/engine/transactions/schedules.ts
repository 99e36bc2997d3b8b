import { need } from '../refusal.js'
import { keyText } from '../rules/signatures.js'
import { scheduleIn } from '../state/entries.js'
import { idText } from '../values.js'
import type { Context, Transactor } from './context.js'

/** Keys that signed this transaction, as a schedule stores them. */
const signersOf = ({ parts }: Context): readonly string[] => parts.signers.full.map((key) => keyText(key) ?? '')

/** Stores a transfer that runs as soon as its signatures are there. */
export const scheduleCreate: Transactor = {
  check: ({ scheduleCreate: body }) => {
    need(Boolean(body?.scheduledTransactionBody?.cryptoTransfer), 'SCHEDULED_TRANSACTION_NOT_IN_WHITELIST')
  },
  apply: ({ scheduleCreate: body }, context) => {
    const { payer, transactionId, nextId } = context.parts
    const id = nextId()
    const signers = signersOf(context)
    context.state.put({
      ...{ kind: 'schedule', index: `schedule:${id}`, id, made: body ?? {}, transactionId, signers, executed: false },
      payer: body?.payerAccountID ? idText(body.payerAccountID.accountNum) : payer,
    })
    Object.assign(context.made, { schedule: id, scheduled: { ...transactionId, scheduled: true } })
    context.ready = { schedule: id, signers }
  },
}

export const scheduleSign: Transactor = {
  apply: ({ scheduleSign: body }, context) => {
    const schedule = scheduleIn(context.state, idText(body?.scheduleID?.scheduleNum))
    need(schedule !== null, 'INVALID_SCHEDULE_ID')
    need(!schedule.executed, 'SCHEDULE_ALREADY_EXECUTED')
    const added = signersOf(context).filter((signer) => !schedule.signers.includes(signer))
    need(added.length > 0, 'NO_NEW_VALID_SIGNATURES')
    const signers = [...schedule.signers, ...added]
    context.state.put({ ...schedule, signers })
    context.made.scheduled = { ...schedule.transactionId, scheduled: true }
    context.ready = { schedule: schedule.id, signers }
  },
}
