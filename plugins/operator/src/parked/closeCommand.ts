import { destinationText } from '@causeway/core'
import {
  closeAsPaid,
  findProvenClosings,
  listParkedDeposits,
  type ParkedDeposit,
  planClosing,
} from '@causeway/core/money-path'
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
import { counted } from '../text/layout.js'
import { moneyText, shown } from '../text/moneyText.js'
import { chainNames, requireDeposit } from './parkedCommands.js'
import { paidText, toPaidView } from './parkedText.js'
import { REFUND_OPTIONS, requireYes } from './refundCommands.js'
import { readWitnesses } from './witnessAll.js'

/** Transactions whose ids are hex are stored in lower case. */
const storedTxId = (text: string): string => (/^0x[0-9a-f]+$/i.test(text) ? text.toLowerCase() : text)

/** Most deposits that one run closes. */
const MOST_AT_ONCE = 10_000

type Input = Pick<CommandInput, 'options' | 'actor' | 'print'>

interface Closing {
  readonly txId: string
  readonly insteadOf?: readonly string[]
  readonly reason: string
  readonly actor: string
}

/** Closes one deposit with its audit entry; returns what was closed, as text. @throws ActionRefusedError */
const closeOne = async (
  deps: OperatorDeps,
  deposit: ParkedDeposit,
  { actor, reason, ...payment }: Closing,
): Promise<string> => {
  const now = deps.clock.now()
  const { purpose, paid } = await withTransaction(deps.pool, async (client) => {
    const closed = await closeAsPaid(client, { depositId: deposit.id, ...payment }, now)
    await recordAudit(client, {
      at: now,
      actor,
      action: 'parked close',
      subject: deposit.request === null ? `deposit ${deposit.id}` : `request ${deposit.request.id}`,
      details: {
        reason,
        deposit: deposit.id,
        purpose: closed.purpose,
        payout: closed.payoutId,
        ...payment,
        chainId: closed.paid.chainId,
        to: destinationText(closed.paid.recipient),
        currency: closed.paid.currency,
        amount: closed.paid.amount.toString(),
      },
    })
    return closed
  })
  return `Closed as paid by its ${purpose}: ${paidText(toPaidView(deps.currencies, paid), chainNames(deps))}.`
}

const closeByTransaction = async (
  deps: OperatorDeps,
  id: string,
  { options, actor = auditActor(), print }: Input,
): Promise<void> => {
  const reason = readText(options.reason, '--reason')
  const txId = storedTxId(readText(options.paidBy, '--paid-by'))
  const { id: depositId } = await requireDeposit(deps, id)
  // Sends nothing, so a chain that cannot be read now does not stop it.
  await readWitnesses(deps)
  const deposit = await requireDeposit(deps, depositId)
  const { purpose, paid } = planClosing(deposit, txId)
  const text = paidText(toPaidView(deps.currencies, paid), chainNames(deps))
  const money = moneyText(shown(deps.currencies, deposit))
  await requireYes(deps, options.yes, `Close ${money} of ${deposit.depositor} as paid by its ${purpose}: ${text}?`)
  const { insteadOf } = options
  const others = insteadOf === undefined ? {} : { insteadOf: readText(insteadOf, '--instead-of').split(',') }
  const closed = await closeOne(deps, deposit, { txId, ...others, reason, actor })
  print(`${closed} The lane books it; follow it with causeway explain deposit:${depositId}.`)
}

/** Every parked deposit whose order exactly one transaction paid; the others are named and stay. */
const closeAllPaid = async (deps: OperatorDeps, { options, actor = auditActor(), print }: Input): Promise<void> => {
  const reason = readText(options.reason, '--reason')
  const silent = await readWitnesses(deps)
  const parked = await listParkedDeposits(deps.pool, { chainId: null, limit: MOST_AT_ONCE })
  const { proven, open } = await findProvenClosings(deps.pool, parked)
  for (const { chain, why } of silent) print(`${chain} could not be read whole, so it may have paid more: ${why}`)
  if (proven.length > 0)
    await requireYes(
      deps,
      options.yes,
      `Close ${counted(proven.length, 'deposit')}, each by the one transaction that paid its order?`,
    )
  let closed = 0
  const left = [...open]
  for (const { deposit, txId } of proven) {
    try {
      print(`DEPOSIT ${deposit.id}: ${await closeOne(deps, deposit, { txId, reason, actor })}`)
      closed += 1
    } catch (error) {
      if (!(error instanceof ActionRefusedError)) throw error
      left.push({ deposit, why: error.message })
    }
  }
  for (const { deposit, why } of left)
    print(`DEPOSIT ${deposit.id} is left to you: ${why.replace(/\.$/, '')}. See causeway parked show ${deposit.id}.`)
  print(
    `${closed} of ${counted(closed + left.length, 'paid deposit')} closed. The lanes book what was closed and open by themselves.`,
  )
}

/** `causeway parked close <deposit> --paid-by <tx>` or `--all-paid`: after a restore, for what was paid in the time it forgot (F120). */
export const parkedCloseCommand = (deps: OperatorDeps): Command => ({
  name: 'parked close',
  console: 'money',
  confirmWith: 'deposit',
  description:
    'Close a deposit whose order was paid already: that transaction becomes its payment, and nothing is sent',
  arguments: [{ name: 'deposit', description: 'Its number; "all" or nothing with --all-paid', required: false }],
  options: [
    { flags: '--paid-by <tx>', description: 'The transaction that paid, as parked show names it' },
    {
      flags: '--instead-of <deposits>',
      description: 'Other deposits that it may have paid and did not, with commas: the amounts tell',
    },
    { flags: '--all-paid', description: 'Close every parked deposit whose order exactly one known transaction paid' },
    ...REFUND_OPTIONS,
  ],
  run: async ({ arguments: [id], ...input }) => {
    if (input.options.allPaid !== true) {
      if (id === undefined)
        throw new ActionRefusedError(
          'Give the number of a deposit with --paid-by <tx>, or --all-paid for all proven ones.',
        )
      return closeByTransaction(deps, id, input)
    }
    if (input.options.paidBy !== undefined || (id !== undefined && id !== 'all'))
      throw new ActionRefusedError('--all-paid takes no deposit and no --paid-by: it closes every proven one.')
    return closeAllPaid(deps, input)
  },
})
