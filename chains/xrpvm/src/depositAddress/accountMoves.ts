import { larger } from '@causeway/core'
import type { Arrival } from '@causeway/core/chain'
import type { AccountMove } from '@causeway/core/chain-kit'
import { xAddressOf } from '../address/addresses.js'
import { parseIssuedValue } from '../currency/amounts.js'
import { type IssuedCurrency, isNative, normalizeCode, parseIssued } from '../currency/currencies.js'
import { deliveredOf, type LedgerTransaction, senderOf, type TransactionMeta } from '../ledger/transactions.js'
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
  const lost = -changeOf(transaction.validated?.meta, account, money.currency)
  return { ...money, amount: larger(lost, money.amount) }
}

/** How an account's holding of an issued currency changed, by the trust lines that the ledger shows; 0 where it shows none. */
const changeOf = (meta: TransactionMeta | undefined, account: string, currency: string): bigint => {
  const issued = parseIssued(currency)
  if (issued === null) return 0n
  return (meta?.AffectedNodes ?? []).reduce<bigint>((sum, node) => sum + lineChange(node, account, issued), 0n)
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const balanceIn = (fields: unknown): bigint => {
  const value = memberOf(memberOf(fields, 'Balance'), 'value')
  return (typeof value === 'string' ? parseIssuedValue(value) : null) ?? 0n
}

/** A line's balance is told from the side of the account that it calls low. */
const lineChange = (node: unknown, account: string, { code, issuer }: IssuedCurrency): bigint => {
  const changed =
    memberOf(node, 'ModifiedNode') ?? memberOf(node, 'CreatedNode') ?? memberOf(node, 'DeletedNode') ?? undefined
  if (memberOf(changed, 'LedgerEntryType') !== 'RippleState') return 0n
  const now = memberOf(changed, 'FinalFields') ?? memberOf(changed, 'NewFields')
  const before = memberOf(changed, 'PreviousFields')
  const [low, high] = ['LowLimit', 'HighLimit'].map((side) => memberOf(memberOf(now, side), 'issuer'))
  if (!(low === account && high === issuer) && !(high === account && low === issuer)) return 0n
  const shown = memberOf(memberOf(now, 'Balance'), 'currency')
  if (typeof shown !== 'string' || normalizeCode(shown) !== code) return 0n
  const isNew = memberOf(node, 'CreatedNode') !== undefined
  const unchanged = !isNew && memberOf(before, 'Balance') === undefined
  if (unchanged) return 0n
  const change = balanceIn(now) - (isNew ? 0n : balanceIn(before))
  return low === account ? change : -change
}

/** Whether the account came about by a transaction: before it nothing can have been paid to it. */
export const opensAccount = ({ account }: TaggedAccount, { validated }: LedgerTransaction): boolean =>
  (validated?.meta.AffectedNodes ?? []).some((node) => {
    const created = memberOf(node, 'CreatedNode')
    return (
      memberOf(created, 'LedgerEntryType') === 'AccountRoot' &&
      memberOf(memberOf(created, 'NewFields'), 'Account') === account
    )
  })

/** Whether the account sent a transaction, and so used a number of its own up, however it ended. */
export const isSentBy = ({ account }: TaggedAccount, transaction: LedgerTransaction): boolean =>
  transaction.signed.Account === account && transaction.validated !== null
