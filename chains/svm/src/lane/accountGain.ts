import type { TxRef } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import type { Ask } from '../head/blockReader.js'
import { readTransactions } from '../watch/depositLookup.js'
import type { DepositForm } from '../watch/recognise/readDeposits.js'
import { lamportsGained, tokensGained } from './transactionFacts.js'

/** See `ChainAdapter.accountGain`. Rent that the account left in other accounts counts as taken out. */
export const readAccountGain = async (
  ask: Ask,
  form: DepositForm,
  { id }: TxRef,
  { address, currency }: { readonly address: string; readonly currency: string },
): Promise<bigint | null> => {
  const { readings } = await readTransactions([id], ask, form)
  const { transaction = null, block = null } = readings.get(id) ?? {}
  if (transaction === null || block === null || transaction.meta.err !== null) return null
  const { meta } = transaction
  if (currency !== NATIVE) return tokensGained(meta, address, currency)
  const paysFee = transaction.transaction.message.accountKeys[0] === address
  return lamportsGained(transaction, meta, address) + (paysFee ? BigInt(meta.fee) : 0n)
}
