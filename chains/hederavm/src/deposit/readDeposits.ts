import type { Hex } from '@causeway/core'
import type { DepositEvent } from '@causeway/core/chain'
import { orderIdOf } from '@causeway/core/chain-kit'
import { readSweepMemo } from '../depositAddress/sweepForms.js'
import { debitedIn, isSuccess, type LedgerTransaction, txDataOf } from '../read/transactions.js'

/** Transactions by which a user pays: a transfer, a call of a contract that passes money on, and the payment of an EVM wallet. */
export const PAYMENTS: ReadonlySet<string> = new Set(['CRYPTOTRANSFER', 'CONTRACTCALL', 'ETHEREUMTRANSACTION'])

/** Numbers of the accounts of the deployment, as one mirror node knows them; null for an account that does not exist. */
export interface OwnNumbers {
  readonly depositoryId: string
  readonly solverId: string | null
  readonly depositAccountId: string | null
}

export interface SourceTransaction extends LedgerTransaction {
  readonly own: OwnNumbers
  /** The deposit address that the transaction swept, as `destinationText` writes it; null for any other transaction. */
  readonly sweptAddress: string | null
}

/** The order that a deposit names: the memo is its id and no other text, in upper or lower case (chains.md hederavm 3). */
export const depositOrderId = (memo: string | null): Hex | null =>
  memo === null ? null : orderIdOf(memo.toLowerCase())

/**
 * Deposits of a transaction: amounts that arrived at the depository from another account, less custom fees. Only a transaction with exactly
 * one credit to the depository names its order (chains.md hederavm 3).
 */
export const readDeposits = (
  transaction: Omit<SourceTransaction, 'own'>,
  { depository, depositoryId }: Pick<OwnNumbers, 'depositoryId'> & { readonly depository: string },
): readonly DepositEvent[] => {
  const { kind, payer, block, fee, id, memo, moves, sweptAddress } = transaction
  if (block === null || !isSuccess(transaction) || !PAYMENTS.has(kind)) return []
  const credits = moves.filter(({ account, amount }) => account === depositoryId && amount > 0n)
  // Only the deposit account's key can name a memo of its account (DepositSource).
  const swept = sweptAddress?.includes('?') === true ? readSweepMemo(memo ?? '') : null
  const orderId = credits.length === 1 ? (swept?.orderId ?? depositOrderId(memo)) : null
  return credits.map(({ currency, amount }, position) => {
    const money = { currency, amount }
    const [source = null, ...more] = debitedIn(transaction, currency)
    const sender = more.length === 0 ? (source ?? payer) : payer
    return {
      ...{ state: 'included', tx: { id }, position, index: position, orderId },
      depositor: sweptAddress ?? sender,
      source: more.length === 0 ? source : null,
      ...{ depository, money, block, fee },
      txData: txDataOf(transaction, { from: sender, to: depository, money }),
    }
  })
}
