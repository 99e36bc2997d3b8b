import type { DepositEvent, DepositState } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import { type ChainTransaction, feePaid } from '../rpc/chainTransaction.js'
import type { ReadDeposit } from './readDeposits.js'

/** A transaction that deposits, with what was read out of it. */
export interface SeenDeposit {
  readonly transaction: ChainTransaction
  readonly deposit: ReadDeposit
}

/** What the host is told of a deposit. A sender that no node can name is told as empty text. */
export const depositEvent = (
  { transaction, deposit }: SeenDeposit,
  depository: string,
  state: DepositState = transaction.block === null ? 'seen' : 'included',
): DepositEvent => {
  const { orderId, amount, position, index, owner } = deposit
  const depositor = deposit.depositor ?? ''
  return {
    state,
    tx: { id: transaction.id },
    position,
    index,
    orderId,
    depositor,
    senders: owner === null ? [] : [owner],
    source: owner,
    depository,
    money: { currency: NATIVE, amount },
    block: state === 'included' ? transaction.block : null,
    txData: { from: depositor, to: depository, data: orderId ?? '0x', value: `${amount}` },
    fee: feePaid(transaction) ?? 0n,
  }
}
