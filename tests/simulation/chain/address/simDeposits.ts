import type { TransactionReading } from '@causeway/core/chain-kit'
import { blockRef, LedgerDeposits, txDataOf } from '../../../adapter/ledgerChain/src/ledgerSource.js'
import type { SimRecord } from '../simTransaction.js'

/** Deposits of a simulated ledger: those of the example, what sweeps bring, a deposit for each currency, and what came by a signature. */
export class SimDeposits extends LedgerDeposits {
  override readingOf(record: SimRecord): TransactionReading {
    const { swept, block, transfer, id, fee } = record
    const { sweep, permit } = transfer
    const plain = super.readingOf(record)
    if (permit !== undefined) {
      return { ...plain, deposits: plain.deposits.map((deposit) => ({ ...deposit, orderId: permit.orderId })) }
    }
    if (sweep === undefined || block === null) return plain
    const { status } = plain
    return {
      status,
      block: blockRef(block),
      deposits: (swept ?? []).map(({ currency, amount }, at) => ({
        state: 'included',
        tx: { id },
        position: at,
        index: at,
        orderId: sweep.orderId,
        depositor: sweep.depositor,
        depository: transfer.to,
        money: { currency, amount: BigInt(amount) },
        block: blockRef(block),
        txData: txDataOf(record),
        fee: BigInt(fee),
      })),
    }
  }
}
