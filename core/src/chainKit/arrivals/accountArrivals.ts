import type { Arrival, Live } from '../../chain/address/depositAddresses.js'
import { type HeightsRead, pagesOf } from '../ledger/ledgerPages.js'
import type { LedgerSource } from '../ledger/ledgerSource.js'

/** What came to live addresses in a range of heights, as one node shows it. Throws ServiceError when the node does not answer. */
export type ArrivalsIn<Node> = (node: Node, range: HeightsRead, live: Live) => Promise<readonly Arrival[]>

export interface AccountArrivalsDeps<Node, Transaction> {
  readonly source: Pick<LedgerSource<Node, Transaction>, 'page'>
  /** The one account that every address is a part of. */
  readonly account: string
  /** What a transaction brought to parts of the account, whoever they belong to. */
  arrivalsOf(transaction: Transaction): readonly Arrival[]
}

/**
 * What comes to deposit addresses that are parts of one account, told apart by a tag or a memo: the account's own transactions, so that
 * reading costs the same however many addresses there are. Serves `IndexedLedger`.
 */
export const accountArrivals =
  <Node, Transaction>({ source, account, arrivalsOf }: AccountArrivalsDeps<Node, Transaction>): ArrivalsIn<Node> =>
  async (node, range, live) => {
    const arrivals: Arrival[] = []
    for await (const transactions of pagesOf(source, node, { account, ...range })) {
      arrivals.push(...transactions.flatMap(arrivalsOf).filter(({ to }) => live.has(to.address)))
    }
    return arrivals
  }
