import { larger } from '@causeway/core'
import type { AccountMove, TaggedAccount } from '@causeway/core/chain-kit'
import { isNative } from '../address/currencies.js'
import { createsAccount, gainOf } from '../read/balanceChanges.js'
import { deliveredOf, type LedgerTransaction, numberOf, senderOf } from '../read/transactions.js'
import { type DepositAccount, tagLabels } from './tagLabels.js'

/** The account whose destination tags are deposit addresses (chains.md xrpvm 8). */
export const taggedAccount = (own: DepositAccount): TaggedAccount<LedgerTransaction> => {
  const { account } = own
  return {
    account,
    labels: tagLabels(own),
    movesOf: (transaction) => movesOf(transaction, account),
    isFirst: (transaction) => createsAccount(transaction, account),
    placeOf: (transaction) => {
      const { hash, signed, validated } = transaction
      if (validated === null) return null
      const number = signed.Account === account ? numberOf(transaction) : null
      return { tx: { id: hash }, block: validated.block, sender: senderOf(transaction), number }
    },
  }
}

/**
 * Only payments name a tag, so money of escrows, checks and offers belongs to no address. The delivered amount counts, not the stated one
 * (chains.md xrpvm 4). A sweep names the tag that it takes from as its source tag.
 */
const movesOf = (transaction: LedgerTransaction, account: string): readonly AccountMove[] => {
  const { Account, Destination, DestinationTag, SourceTag } = transaction.signed
  const money = deliveredOf(transaction)
  if (money === null || money.amount === 0n || (Account === account) === (Destination === account)) return []
  const [tag, amount] =
    Account === account ? [SourceTag, -takenBy(transaction, account, money)] : [DestinationTag, money.amount]
  return tag === undefined ? [] : [{ part: `${tag}`, currency: money.currency, amount }]
}

/** Returns the amount that a payment took from its account, with the issuer's transfer fee. */
const takenBy = (
  transaction: LedgerTransaction,
  account: string,
  { currency, amount }: { readonly currency: string; readonly amount: bigint },
): bigint => {
  if (isNative(currency)) return amount
  return larger(-(gainOf(transaction, { address: account, currency }) ?? 0n), amount)
}
