import { ServiceError } from '../../errors/serviceError.js'
import { strangeAnswer } from '../endpoints/clients/checkedAnswer.js'
import type { LedgerPage, LedgerSource } from './ledgerSource.js'

/** Pages of one range that a node may give: one that goes on has no end. */
export const MOST_PAGES = 2_000

/** Heights above the first, up to the second. */
export interface HeightsRead {
  readonly after: bigint
  readonly upTo: bigint
}

/**
 * All transactions of an account in a range, page by page, as one node lists them.
 * @throws ServiceError where it lacks a part of them, or its list has no end
 */
export async function* pagesOf<Node, Transaction>(
  source: Pick<LedgerSource<Node, Transaction>, 'page'>,
  node: Node,
  { account, after, upTo }: HeightsRead & { readonly account: string },
): AsyncGenerator<readonly Transaction[]> {
  let mark: LedgerPage<Transaction>['more'] = null
  let pages = 0
  do {
    pages += 1
    if (pages > MOST_PAGES) throw endless()
    const page: LedgerPage<Transaction> = await source.page(node, { account, after, upTo, mark })
    if (page.since !== undefined && page.since > after + 1n) throw gap(after + 1n, page.since)
    yield page.transactions
    mark = page.more
  } while (mark !== null)
}

/** Error for a node whose list of an account has no end: another node is asked. */
export const endless = (): ServiceError => strangeAnswer('a list of transactions that does not end')

export const gap = (from: bigint, since: bigint): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `A node of this chain knows nothing of heights ${from} to ${since - 1n}, where payments may be. Name one that has them.`,
  )
