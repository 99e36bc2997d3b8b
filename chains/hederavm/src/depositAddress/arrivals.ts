import type { Arrival, Live } from '@causeway/core/chain'
import type { ArrivalsIn } from '@causeway/core/chain-kit'
import { strangeAnswer } from '@causeway/core/chain-kit'
import { isSystemAccount } from '../address/addresses.js'
import { nanosOf } from '../address/times.js'
import { debitedIn, isSuccess, type LedgerTransaction, readTransaction } from '../read/transactions.js'
import { askAccount } from '../rpc/accounts.js'
import { askRange } from '../rpc/blocks.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import { type TransactionJson, transactionPages } from '../rpc/transactions.js'

/** Transactions by which wallets pay an address; money that comes otherwise is found by its balance. */
const TYPES = ['CRYPTOTRANSFER', 'ETHEREUMTRANSACTION']
const MOST_KNOWN = 50_000
const AT_ONCE = 16

/**
 * Payments to deposit addresses: all transfers of the network in a range, whose accounts are named by their EVM addresses. An account keeps
 * its address, so each is asked for once.
 */
export const addressArrivals = (): ArrivalsIn<MirrorNode> => {
  const addresses = new Map<string, string | null>()
  return async (node, { after, upTo }, live) => {
    const { first, last, blockAt } = await askRange(node, after + 1n, upTo)
    if (last.height < upTo) throw strangeAnswer('blocks with a gap')
    const pages = await Promise.all(TYPES.map((type) => readAll(node, { from: first.from, to: last.to, type })))
    const transactions = await Promise.all(
      pages.flat().map(async (json) => readTransaction(json, await blockAt(nanosOf(json.consensus_timestamp)))),
    )
    const credited = new Set(transactions.flatMap(creditedIn))
    await nameAll(node, [...credited], addresses)
    return transactions.flatMap((transaction) => arrivalsIn(transaction, addresses, live))
  }
}

const readAll = async (
  node: MirrorNode,
  range: { readonly from: bigint; readonly to: bigint; readonly type: string },
): Promise<readonly TransactionJson[]> => {
  const found: TransactionJson[] = []
  for await (const page of transactionPages(node, { account: null, ...range })) found.push(...page)
  return found
}

const creditedIn = ({ moves }: LedgerTransaction): readonly string[] =>
  moves.flatMap(({ account, amount }) => (amount > 0n && !isSystemAccount(account) ? [account] : []))

/** Looks up the EVM addresses of accounts that are not known yet. */
const nameAll = async (
  node: MirrorNode,
  accounts: readonly string[],
  addresses: Map<string, string | null>,
): Promise<void> => {
  if (addresses.size > MOST_KNOWN) addresses.clear()
  const unknown = accounts.filter((account) => !addresses.has(account))
  for (let from = 0; from < unknown.length; from += AT_ONCE) {
    const part = unknown.slice(from, from + AT_ONCE)
    const found = await Promise.all(part.map((account) => askAccount(node, account)))
    for (const [at, account] of part.entries()) addresses.set(account, found[at]?.evmAddress ?? null)
  }
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
