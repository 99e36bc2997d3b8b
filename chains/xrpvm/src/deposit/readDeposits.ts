import { type Hex, smaller } from '@causeway/core'
import type { ChainMoney, DepositEvent } from '@causeway/core/chain'
import { parseIssued } from '../address/currencies.js'
import { lineChanges } from '../read/balanceChanges.js'
import { deliveredOf, type LedgerTransaction, senderOf, txDataOf } from '../read/transactions.js'
import { depositOrderId } from './memos.js'

/** Where a transaction is, so that a node can be asked whether it knows that ledger at all. */
export const locatorOf = (height: bigint) => ({ ledger: height.toString() })

/**
 * Deposits of a transaction: a payment of another account, of the delivered amount alone, for the order that the first memo names
 * (chains.md xrpvm 3). Cashed checks, ended escrows and deleted accounts deliver too, and are no deposits.
 */
export const readDeposits = (transaction: LedgerTransaction, depository: string): readonly DepositEvent[] => {
  const { signed, validated, hash } = transaction
  const { Account, Destination, Fee, Memos } = signed
  if (validated === null || Destination !== depository || Account === depository) return []
  const { block } = validated
  const orderId: Hex | null = depositOrderId(Memos)
  return arrivals(transaction, depository).map((money, position) => ({
    state: 'included',
    tx: { id: hash, locator: locatorOf(block.height) },
    position,
    // One payment delivers one currency, but for one that leaves the issuer open.
    index: position,
    orderId,
    depositor: senderOf(transaction),
    source: Account,
    depository,
    money,
    block,
    txData: txDataOf(transaction),
    fee: BigInt(Fee),
  }))
}

/**
 * Amounts that arrived. A payment may name the recipient itself as the issuer, which means any issuer that it trusts: the balances alone
 * then show the currency.
 */
const arrivals = (transaction: LedgerTransaction, depository: string): readonly ChainMoney[] => {
  const delivered = deliveredOf(transaction)
  if (delivered === null || delivered.amount <= 0n) return []
  const named = parseIssued(delivered.currency)
  if (named?.issuer !== depository || transaction.validated === null) return [delivered]
  return lineChanges(transaction.validated.meta, depository).flatMap(({ currency, amount }) =>
    parseIssued(currency)?.code === named.code && amount > 0n
      ? [{ currency, amount: smaller(amount, delivered.amount) }]
      : [],
  )
}
