import type { LaneListing, LaneSince, SentTransaction } from '../sequenceChain.js'

/** Pages that are read before it is given up: ten million payments that others sent the account. */
const MOST_PAGES = 25_000

/** An account's transactions as one node lists them. */
export interface BackListing<Transaction> {
  /** Newest first, down to `since` or as far back as the node goes. */
  readonly pages: AsyncIterable<readonly Transaction[]>
  readonly since: LaneSince
  /** Null for a transaction that others sent. */
  sentOf(transaction: Transaction): SentTransaction | null
  /** Whether the transaction created the account, so that it sent nothing before. */
  isFirst(transaction: Transaction): boolean
  /** Why the node may lack older transactions, as `LaneListing.gap`; null where its pages go back to `since`. */
  readonly gap: string | null
  readonly mostPages?: number
}

/**
 * Reads what an account sent back to where `since` begins. A number was used after the account's own turn came to it, so the list ends
 * with the first transaction in order that has it or a lower one.
 */
export const listBack = async <Transaction>(listing: BackListing<Transaction>): Promise<LaneListing> => {
  const { pages, since, sentOf, isFirst, gap, mostPages = MOST_PAGES } = listing
  const transactions: SentTransaction[] = []
  let count = 0
  for await (const page of pages) {
    if (count === mostPages) return { transactions, gap: 'there is more than a node lists' }
    count += 1
    const sent = page.flatMap((transaction) => sentOf(transaction) ?? [])
    transactions.push(...sent)
    if (page.some(isFirst) || sent.some((one) => isAtBeginning(one, since))) return { transactions }
  }
  return gap === null ? { transactions } : { transactions, gap }
}

const isAtBeginning = ({ sequence, aside = false }: SentTransaction, since: LaneSince): boolean =>
  'sequence' in since && !aside && sequence <= since.sequence
