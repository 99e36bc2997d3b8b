import type { DepositEvent } from '@causeway/core/chain'
import { type LedgerTransaction, txDataOf } from '../read/transactions.js'

/**
 * The deposit of a transaction: a transfer of another account that arrived at the depository. An asset on a route without a currency is
 * recorded without an order, under the asset's spot currency, for recovery by the operator (chains.md lvm 4).
 */
export const readDeposits = (
  { hash, block, status, transfer }: LedgerTransaction,
  depository: string,
): readonly DepositEvent[] => {
  if (block === null || status !== 'success' || transfer === null) return []
  const { from, to, asset, currency, amount, fee, orderId } = transfer
  if (to !== depository || from === depository || amount === 0n) return []
  const money = { currency: currency ?? String(asset), amount }
  return [
    {
      ...{ state: 'included', tx: { id: hash }, position: 0, index: 0, orderId: currency === null ? null : orderId },
      ...{ depositor: from, source: from, depository, money, block, fee },
      txData: txDataOf(transfer, money),
    },
  ]
}
