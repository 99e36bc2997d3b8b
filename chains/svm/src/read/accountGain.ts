import type { TxRef } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import { readTransactions } from '../deposit/depositLookup.js'
import type { DepositForm } from '../deposit/readDeposits.js'
import { lamportsGained, tokensGained } from '../lane/transactionFacts.js'
import type { Ask } from '../rpc/head/blockReader.js'

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
