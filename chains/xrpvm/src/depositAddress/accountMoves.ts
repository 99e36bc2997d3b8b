import { larger } from '@causeway/core'
import type { Arrival } from '@causeway/core/chain'
import type { AccountMove } from '@causeway/core/chain-kit'
import { xAddressOf } from '../address/addresses.js'
import { isNative } from '../address/currencies.js'
import { gainOf } from '../read/balanceChanges.js'
import { deliveredOf, type LedgerTransaction, senderOf } from '../read/transactions.js'
import type { TaggedAccount } from './tagAddress.js'

/** What a payment brought to a tag of the account: what was delivered, never what was said (chains.md xrpvm 4); null for anything else. */
const broughtBy = (transaction: LedgerTransaction, account: string) => {
  const { Account, Destination, DestinationTag } = transaction.signed
  if (Destination !== account || Account === account || DestinationTag === undefined) return null
  const money = deliveredOf(transaction)
  return money === null || money.amount === 0n ? null : { tag: DestinationTag, money }
}

/**
 * What a transaction brought to addresses. Only payments carry a tag to whom they pay: what escrows, checks or offers bring the account
 * is nobody's.
 */
export const arrivalsOf = (
  { account, networkId }: TaggedAccount,
  transaction: LedgerTransaction,
  currencies: ReadonlySet<string>,
): readonly Arrival[] => {
  const brought = broughtBy(transaction, account)
  const block = transaction.validated?.block
  if (brought === null || block === undefined || !currencies.has(brought.money.currency)) return []
  return [
    {
      state: 'included',
      tx: { id: transaction.hash },
      position: 0,
      to: { address: xAddressOf(account, brought.tag, networkId) },
      money: brought.money,
      sender: senderOf(transaction),
      block,
    },
  ]
}

/**
 * What a transaction moved to a tag of the account, or from it: sweeps name the tag that they take from as their source, so that the ledger
 * alone tells what lies under each.
 */
export const movesOf = ({ account }: TaggedAccount, transaction: LedgerTransaction): readonly AccountMove[] => {
  const brought = broughtBy(transaction, account)
  if (brought !== null) return [{ part: `${brought.tag}`, ...brought.money }]
  const { Account, Destination, SourceTag } = transaction.signed
  if (Account !== account || Destination === account || SourceTag === undefined) return []
  const taken = takenBy(transaction, account)
  return taken === null ? [] : [{ part: `${SourceTag}`, currency: taken.currency, amount: -taken.amount }]
}

/** What a payment took from its account, with what the issuer took of it. */
const takenBy = (transaction: LedgerTransaction, account: string) => {
  const money = deliveredOf(transaction)
  if (money === null || isNative(money.currency)) return money
  const lost = -(gainOf(transaction, { address: account, currency: money.currency }) ?? 0n)
  return { ...money, amount: larger(lost, money.amount) }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Whether the account came about by a transaction: before it nothing can have been paid to it. */
export const opensAccount = ({ account }: TaggedAccount, { validated }: LedgerTransaction): boolean =>
  (validated === null ? [] : validated.meta.AffectedNodes).some((node) => {
    const created = memberOf(node, 'CreatedNode')
    return (
      memberOf(created, 'LedgerEntryType') === 'AccountRoot' &&
      memberOf(memberOf(created, 'NewFields'), 'Account') === account
    )
  })

/** Whether the account sent a transaction, and so used a number of its own up, however it ended. */
export const isSentBy = ({ account }: TaggedAccount, transaction: LedgerTransaction): boolean =>
  transaction.signed.Account === account && transaction.validated !== null
