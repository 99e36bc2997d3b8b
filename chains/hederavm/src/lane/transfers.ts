import type { ChainMoney } from '@causeway/core/chain'
import type { TransferTransaction } from '@hashgraph/sdk'
import { isEvmAddress, NATIVE } from '../address/addresses.js'
import type { Sdk } from './sdk.js'

/** An entry of a transfer. */
export interface TransferEntry {
  readonly account: string
  /** Decimal text; below 0 for the account that pays. */
  readonly amount: string
  /** Null: HBAR. */
  readonly token: string | null
}

/** The two entries of a transfer (chains.md hederavm 5). */
export const entriesOf = (from: string, to: string, { currency, amount }: ChainMoney): readonly TransferEntry[] => {
  const token = currency === NATIVE ? null : currency
  return [
    { account: from, amount: `-${amount}`, token },
    { account: to, amount: `${amount}`, token },
  ]
}

/** Accounts are named by their number, or by their EVM address, which the network resolves. */
export const addTransfers = (
  sdk: Sdk,
  transaction: TransferTransaction,
  entries: readonly TransferEntry[],
): TransferTransaction => {
  const { AccountId } = sdk
  for (const { account, amount, token } of entries) {
    const id = isEvmAddress(account) ? AccountId.fromEvmAddress(0, 0, account) : AccountId.fromString(account)
    if (token === null) transaction.addHbarTransfer(id, sdk.Hbar.fromTinybars(amount))
    else transaction.addTokenTransfer(token, id, sdk.Long.fromString(amount))
  }
  return transaction
}
