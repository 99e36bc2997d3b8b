import type { proto } from '@hiero-ledger/proto'
import { need, Refusal } from '../refusal.js'
import { bigintOf, hexOf, idText } from '../values.js'

const MOST_AMOUNTS = 10

type Amounts = readonly proto.IAccountAmount[]

const nameOf = ({ accountID }: proto.IAccountAmount): string =>
  accountID?.alias?.length ? hexOf(accountID.alias) : idText(accountID?.accountNum)

const sumOf = (amounts: Amounts): bigint => amounts.reduce((sum, { amount }) => sum + bigintOf(amount), 0n)

const hasRepeated = (names: readonly string[]): boolean => new Set(names).size < names.length

/** @throws Refusal for lists that no state allows: sums that are not zero, accounts that repeat, too many amounts */
export const checkLists = ({ cryptoTransfer }: proto.ITransactionBody): void => {
  const hbar = cryptoTransfer?.transfers?.accountAmounts ?? []
  const tokens = cryptoTransfer?.tokenTransfers ?? []
  need(hbar.length <= MOST_AMOUNTS, 'TRANSFER_LIST_SIZE_LIMIT_EXCEEDED')
  need(sumOf(hbar) === 0n, 'INVALID_ACCOUNT_AMOUNTS')
  need(!hasRepeated(hbar.map(nameOf)), 'ACCOUNT_REPEATED_IN_ACCOUNT_AMOUNTS')
  need(!hasRepeated(tokens.map(({ token }) => idText(token?.tokenNum))), 'TOKEN_ID_REPEATED_IN_TOKEN_LIST')
  const all = tokens.flatMap(({ transfers }) => transfers ?? [])
  need(all.length <= MOST_AMOUNTS, 'TOKEN_TRANSFER_LIST_SIZE_LIMIT_EXCEEDED')
  for (const { transfers, nftTransfers } of tokens) {
    // The local network has no NFTs.
    if (nftTransfers?.length) throw new Refusal('NOT_SUPPORTED')
    const amounts = transfers ?? []
    need(amounts.length > 0, 'EMPTY_TOKEN_TRANSFER_ACCOUNT_AMOUNTS')
    need(!hasRepeated(amounts.map(nameOf)), 'ACCOUNT_REPEATED_IN_ACCOUNT_AMOUNTS')
    need(sumOf(amounts) === 0n, 'TRANSFERS_NOT_ZERO_SUM_FOR_TOKEN')
  }
}
