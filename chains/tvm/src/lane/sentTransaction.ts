import type { ChainMoney, Payout } from '@causeway/core/chain'
import type { SentTransaction, ShownTransaction } from '@causeway/core/chain-kit'
import { accountOf, addressOf, NATIVE } from '../address/addresses.js'
import { readExecution } from '../payout/withdrawal.js'
import {
  gainIn,
  nativeMoves,
  type TronTransaction,
  transferCallOf,
  transfersOf,
  txDataOf,
} from '../read/transactions.js'
import { readMark } from './marks.js'

/** Recipient and amount of a transaction of ours, and the bytes that name its order. */
interface Paid {
  readonly to: string
  readonly money: ChainMoney
  readonly mark: string
}

const NOTHING: Paid = { to: '', money: { currency: NATIVE, amount: 0n }, mark: '' }

/** The payment that a transaction asks for; a sweep pays `depository`. */
const paidBy = (transaction: TronTransaction, depository: string): Paid => {
  const { kind, to, value, data, memo, owner } = transaction
  if (kind === 'TransferContract') return { to: addressOf(to), money: { currency: NATIVE, amount: value }, mark: memo }
  if (kind !== 'TriggerSmartContract') return NOTHING
  const transfer = transferCallOf({ owner, data })
  if (transfer !== null) {
    const money = { currency: addressOf(to), amount: transfer.amount }
    return { to: addressOf(transfer.to), money, mark: transfer.tail }
  }
  if (addressOf(to) !== depository) return NOTHING
  const execution = readExecution(data)
  if (execution !== null) return { ...execution, mark: execution.tail }
  return { to: depository, money: { currency: NATIVE, amount: value }, mark: data.slice(-64) }
}

/**
 * The money that arrived at a recipient. Null where a token that was called shows no event of its own: the chain does not tell, unless the call
 * answered false (faults.md F123).
 */
const arrivedAt = (transaction: TronTransaction, { to, money }: Pick<Paid, 'to' | 'money'>): ChainMoney | null => {
  const { currency } = money
  if (transaction.failure !== null || to === '') return { currency, amount: 0n }
  const account = accountOf(to)
  if (currency === NATIVE) return { currency, amount: gainIn(nativeMoves(transaction), account) }
  const token = accountOf(currency)
  const moves = transfersOf(transaction, token)
  if (moves.length === 0 && transaction.to === token && !/^0{64}$/.test(transaction.returned)) return null
  return { currency, amount: moves.reduce((sum, move) => (move.to === account ? sum + move.amount : sum), 0n) }
}

/** A transaction that was looked up: what it brought the payout's recipient, or the one that it names. */
export const shownOf = (
  transaction: TronTransaction,
  payout: Payout | undefined,
  depository: string,
): ShownTransaction => {
  const { id, block, fee, failure: revert } = transaction
  const named = paidBy(transaction, depository)
  const paid = payout === undefined ? named : { to: payout.to.address, money: payout.money }
  const arrived = arrivedAt(transaction, paid)
  const currencyFee = payout === undefined ? 0n : currencyFeeOf(transaction, payout)
  return {
    ...{ tx: { id }, to: paid.to, arrived, block, fee, revert, txData: txDataOf(transaction) },
    ...(currencyFee === 0n ? {} : { currencyFee }),
  }
}

/** Units of a token that the payer lost and the recipient did not get. */
const currencyFeeOf = (transaction: TronTransaction, { purpose, from, to, money }: Payout): bigint => {
  if (money.currency === NATIVE || purpose === 'sweep') return 0n
  const moves = transfersOf(transaction, accountOf(money.currency))
  const sum = (side: 'from' | 'to', account: string) =>
    moves.reduce((total, move) => (move[side] === account ? total + move.amount : total), 0n)
  const [received, sent] = [sum('to', accountOf(to.address)), sum('from', accountOf(from))]
  const paid = received === 0n ? 0n : money.amount
  return purpose === 'withdraw' ? paid - received : sent - paid
}

/** A transaction of a lane's account as it is listed. */
export const sentOf = (transaction: TronTransaction, depository: string): SentTransaction => {
  const { id, block, fee, failure, timestamp, expiration } = transaction
  const paid = paidBy(transaction, depository)
  return {
    ...{ tx: { id }, sequence: timestamp, until: expiration, memo: readMark(paid.mark)?.memo ?? null },
    ...{ to: paid.to, money: paid.money, arrived: arrivedAt(transaction, paid), block, fee, revert: failure },
    txData: txDataOf(transaction),
  }
}

const LEFT = 'The sweep did not land in its time. The TRX that was sent for it stays at the deposit address.'

/**
 * TRX that paid for a sweep is listed as the sweep: its own transaction, null while no block has it. Once its time is over it costs what was
 * sent for it, and brings nothing.
 */
export const sweepOf = (
  funding: TronTransaction,
  {
    sweepId,
    sweep,
    isOver,
    depository,
  }: {
    readonly sweepId: string
    readonly sweep: TronTransaction | null
    readonly isOver: boolean
    readonly depository: string
  },
): SentTransaction => {
  const sent = sentOf(funding, depository)
  const tx = { id: sweepId, locator: funding.id }
  const fee = funding.fee + funding.value
  const common = { ...sent, tx, to: depository, fee }
  if (sweep === null)
    return isOver
      ? { ...common, money: NOTHING.money, arrived: NOTHING.money, revert: LEFT }
      : { ...common, money: NOTHING.money, arrived: null, block: null }
  const { money, arrived, block, revert, txData } = sentOf(sweep, depository)
  return { ...common, money, arrived, block, revert, txData }
}

/** Id of the sweep that a transaction pays for; null for any other transaction. */
export const fundedSweep = ({ kind, memo }: TronTransaction): string | null =>
  kind === 'TransferContract' ? (readMark(memo)?.sweepId ?? null) : null
