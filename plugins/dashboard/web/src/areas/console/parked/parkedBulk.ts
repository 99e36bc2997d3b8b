import { consoleTexts } from '../../../texts/consoleTexts.js'
import type { BulkCommand } from '../parts/CommandsDialog.js'
import type { ParkedDeposit } from './parkedDeposit.js'

const words = consoleTexts.parked

/** The transaction that closes a deposit; null if none paid its order, or several did and the operator has to choose. */
export const onlyPayment = ({ paidBy }: ParkedDeposit): string | null =>
  paidBy.length === 1 ? (paidBy[0]?.txId ?? null) : null

export const canClose = (deposit: ParkedDeposit): boolean => onlyPayment(deposit) !== null
export const canRefund = ({ paidBy }: ParkedDeposit): boolean => paidBy.length === 0
export const canRecover = ({ paidBy, recoveryAddress }: ParkedDeposit): boolean =>
  paidBy.length === 0 && recoveryAddress !== null

/** Which deposits the list shows, by whether their orders were paid already. */
export const showsKind = (kind: string, { paidBy }: ParkedDeposit): boolean =>
  kind === '' || (kind === 'paid') === paidBy.length > 0

const shared = {
  confirmWith: ({ depositId }: ParkedDeposit) => depositId,
  keyOf: ({ depositId }: ParkedDeposit) => depositId,
  moneysOf: ({ parked }: ParkedDeposit) => [parked],
} as const

type ParkedCommand = Omit<BulkCommand<ParkedDeposit>, 'nameOf'> & { allows(deposit: ParkedDeposit): boolean }

/** Commands for several deposits: the commands of a single deposit, with the values of each deposit. */
export const PARKED_COMMANDS: readonly ParkedCommand[] = [
  {
    ...shared,
    verb: 'close',
    title: words.closeTitles,
    effect: words.closeEffects,
    confirm: words.close,
    danger: true,
    allows: canClose,
    call: (deposit, reason) => ({
      name: 'parked close',
      arguments: [deposit.depositId],
      options: { 'paid-by': onlyPayment(deposit) ?? '', reason },
    }),
  },
  {
    ...shared,
    verb: 'refund',
    title: words.refundTitles,
    effect: words.refundEffects,
    confirm: words.refund,
    allows: canRefund,
    call: ({ depositId }, reason) => ({ name: 'parked refund', arguments: [depositId], options: { reason } }),
  },
  {
    ...shared,
    verb: 'recover',
    title: words.recoverTitles,
    effect: words.recoverEffects,
    confirm: words.recover,
    allows: canRecover,
    call: ({ depositId }, reason) => ({
      name: 'deposit-addresses recover',
      arguments: [depositId],
      options: { reason },
    }),
  },
]
