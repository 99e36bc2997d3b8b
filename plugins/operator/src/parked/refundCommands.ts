import { destinationText } from '@causeway/core'
import { assignParked, findDepositOfRequest, type ParkedDeposit } from '@causeway/core/money-path'
import {
  ActionRefusedError,
  auditActor,
  type Command,
  type CommandInput,
  recordAudit,
  withTransaction,
} from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { readText } from '../readOptions.js'
import { moneyText, shown } from '../text/moneyText.js'
import { chainNames, requireDeposit } from './parkedCommands.js'
import { paidText, toPaidView } from './parkedText.js'
import { payBack, planPayBack, readRequestId } from './payBack.js'
import { requireWitnesses } from './witnessAll.js'

/** What every payment on an operator's word is asked with. */
export const REFUND_OPTIONS = [
  { flags: '--reason <text>', description: 'Why; kept in the audit' },
  { flags: '--yes', description: 'Do not ask' },
] as const
const TO = {
  flags: '--to <address>',
  description: 'Where the money goes (default: as the user said, else where it came from)',
}

/** Asks unless `yes` is given. @throws ActionRefusedError when the operator declines */
export const requireYes = async (deps: OperatorDeps, yes: unknown, question: string): Promise<void> => {
  if (yes !== true && !(await deps.confirm(question))) throw new ActionRefusedError('Nothing was done.')
}

/** A deposit as it is once every chain was read for payments of it. Throws ActionRefusedError when one could not be, or it was paid. */
const requireUnpaid = async (deps: OperatorDeps, id: string): Promise<ParkedDeposit> => {
  await requireWitnesses(deps)
  const deposit = await requireDeposit(deps, id)
  const [paid] = deposit.paid.map((item) => toPaidView(deps.currencies, item))
  if (paid === undefined) return deposit
  throw new ActionRefusedError(
    `The order of deposit ${id} was paid already: ${paidText(paid, chainNames(deps))}. ` +
      `Close it with causeway parked close ${id} --paid-by ${paid.txId}.`,
  )
}

/** Plans, asks, writes: the same for a parked deposit and for a failed request. */
export const runRefund = async (
  deps: OperatorDeps,
  depositId: string,
  action: string,
  { options, actor = auditActor(), print }: Pick<CommandInput, 'options' | 'actor' | 'print'>,
): Promise<void> => {
  const reason = readText(options.reason, '--reason')
  const deposit = await requireUnpaid(deps, depositId)
  const payout = await planPayBack(deps, deposit, options.to === undefined ? null : readText(options.to, '--to'))
  const money = moneyText(shown(deps.currencies, payout))
  const kept = moneyText(shown(deps.currencies, { ...payout, amount: payout.fees }))
  const text = `${money} on ${chainNames(deps)(payout.chainId)} to ${destinationText(payout.recipient)}, ${kept} kept for its gas`
  await requireYes(deps, options.yes, `Pay ${text}?`)
  await payBack(deps, payout, { actor, action, reason })
  print(`On its way: ${text}. The solver pays it; follow it with causeway explain deposit:${deposit.id}.`)
}

/** `causeway parked refund <deposit>`. */
export const parkedRefundCommand = (deps: OperatorDeps): Command => ({
  name: 'parked refund',
  console: 'money',
  confirmWith: 'deposit',
  description: 'Send parked money back, less the gas of doing so',
  arguments: [{ name: 'deposit', description: 'Its number', required: true }],
  options: [TO, ...REFUND_OPTIONS],
  run: async ({ arguments: [id = ''], ...input }) =>
    runRefund(deps, (await requireDeposit(deps, id)).id, 'parked refund', input),
})

/** `causeway refund <requestId>`: only an operator's refund leaves `failure` (wire.md K.2 4). */
export const refundCommand = (deps: OperatorDeps): Command => ({
  name: 'refund',
  console: 'money',
  confirmWith: 'requestId',
  description: 'Refund a request in failure, which no automatic refund will follow',
  arguments: [{ name: 'requestId', description: 'Id of the request', required: true }],
  options: [TO, ...REFUND_OPTIONS],
  run: async ({ arguments: [text = ''], ...input }) => {
    const requestId = readRequestId(text)
    const deposit = await findDepositOfRequest(deps.pool, requestId)
    if (deposit === null) throw new ActionRefusedError(`Request ${requestId} is unknown or has no deposit.`)
    await runRefund(deps, deposit.id, 'refund', input)
  },
})

/** `causeway parked assign <deposit> --request <id>`. */
export const parkedAssignCommand = (deps: OperatorDeps): Command => ({
  name: 'parked assign',
  console: 'money',
  confirmWith: 'deposit',
  description: 'Give a parked deposit to a quote or request that still waits for one',
  arguments: [{ name: 'deposit', description: 'Its number', required: true }],
  options: [{ flags: '--request <id>', description: 'Id of the quote or request' }, ...REFUND_OPTIONS],
  run: async ({ arguments: [id = ''], options, actor = auditActor(), print }) => {
    const reason = readText(options.reason, '--reason')
    const requestId = readRequestId(readText(options.request, '--request'))
    const deposit = await requireUnpaid(deps, (await requireDeposit(deps, id)).id)
    const money = moneyText(shown(deps.currencies, deposit))
    await requireYes(deps, options.yes, `Give ${money} of ${deposit.depositor} to request ${requestId}?`)
    const now = deps.clock.now()
    await withTransaction(deps.pool, async (client) => {
      await assignParked(client, { depositId: deposit.id, requestId }, now)
      await recordAudit(client, {
        at: now,
        actor,
        action: 'parked assign',
        subject: `deposit ${deposit.id}`,
        details: { reason, requestId, orderIdBefore: deposit.orderId, parkedReason: deposit.parkedReason },
      })
    })
    print(`Deposit ${deposit.id} belongs to request ${requestId} now; follow it with causeway explain ${requestId}.`)
  },
})
