import type { Arrival, Live } from '@causeway/core/chain'
import { type ArrivalsIn, askSideBySide } from '@causeway/core/chain-kit'
import { isSystemAccount } from '../address/addresses.js'
import { debitedIn, isSuccess, type LedgerTransaction, readTransactions } from '../read/transactions.js'
import { askAccount } from '../rpc/accounts.js'
import { askRange } from '../rpc/blocks.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import { type TransactionJson, type TransactionRange, transactionPages } from '../rpc/transactions.js'

/** Transactions by which wallets pay an address; money that comes otherwise is found by its balance. */
const TYPES = ['CRYPTOTRANSFER', 'ETHEREUMTRANSACTION']
const MOST_KNOWN = 50_000

/**
 * Payments to deposit addresses: all transfers of the network in a range, whose accounts are named by their EVM addresses. An account keeps
 * its address, so each is asked for once.
 */
export const addressArrivals = (): ArrivalsIn<MirrorNode> => {
  const addresses = new Map<string, string | null>()
  return async (node, { after, upTo }, live) => {
    const { first, last, blocksAt } = await askRange(node, after + 1n, upTo)
    const lists = await Promise.all(TYPES.map((type) => readAll(node, { from: first.from, to: last.to, type })))
    const transactions = await readTransactions(lists.flat(), blocksAt)
    await nameAll(node, [...new Set(transactions.flatMap(creditedIn))], addresses)
    return transactions.flatMap((transaction) => arrivalsIn(transaction, addresses, live))
  }
}

const readAll = async (node: MirrorNode, range: Pick<TransactionRange, 'from' | 'to' | 'type'>) => {
  const found: TransactionJson[] = []
  for await (const page of transactionPages(node, { account: null, order: 'asc', ...range })) found.push(...page)
  return found
}

const creditedIn = ({ moves }: LedgerTransaction): readonly string[] =>
  moves.flatMap(({ account, amount }) => (amount > 0n && !isSystemAccount(account) ? [account] : []))

/** Looks up the EVM addresses of accounts that are not known yet. */
const nameAll = async (node: MirrorNode, accounts: readonly string[], addresses: Map<string, string | null>) => {
  if (addresses.size > MOST_KNOWN) addresses.clear()
  const unknown = accounts.filter((account) => !addresses.has(account))
  const found = await askSideBySide(unknown, (account) => askAccount(node, account), { signal: undefined })
  for (const [at, account] of unknown.entries()) addresses.set(account, found[at]?.evmAddress ?? null)
}

const arrivalsIn = (
  transaction: LedgerTransaction,
  addresses: ReadonlyMap<string, string | null>,
  live: Live,
): readonly Arrival[] => {
  if (!isSuccess(transaction)) return []
  const { id, block, moves } = transaction
  return moves.flatMap(({ account, currency, amount }): readonly Arrival[] => {
    const address = addresses.get(account) ?? null
    if (amount <= 0n || address === null || !live.has(address)) return []
    const [sender = null, ...more] = debitedIn(transaction, currency)
    const money = { currency, amount }
    const from = more.length === 0 ? sender : null
    return [{ state: 'included', tx: { id }, position: 0, to: { address }, money, sender: from, block }]
  })
}
