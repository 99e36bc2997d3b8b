import { ServiceError } from '@causeway/core'
import type { BlockRef, TxRef } from '@causeway/core/chain'
import type { LedgerPage, LedgerSource, PageRequest, TransactionReading } from '@causeway/core/chain-kit'
import { isExpired, type LedgerTransaction, readTransaction, TRANSFER } from '../read/transactions.js'
import type { AccountTokens } from '../rpc/accountTokens.js'
import { askHead } from '../rpc/blocks.js'
import { hasAll, knownSince } from '../rpc/history.js'
import type { LighterNode } from '../rpc/lighterNode.js'
import { accountPages, askTransaction } from '../rpc/transactions.js'
import { readDeposits } from './readDeposits.js'

export interface DepositSourceDeps {
  readonly depository: string
  readonly tokens: Pick<AccountTokens, 'using'>
}

/** Reads the depository's transfers of single nodes. A block is final, so there is no `block`. */
export class DepositSource implements LedgerSource<LighterNode, LedgerTransaction> {
  readonly #deps: DepositSourceDeps

  constructor(deps: DepositSourceDeps) {
    this.#deps = deps
  }

  head(node: LighterNode): Promise<BlockRef> {
    return askHead(node)
  }

  /** The exchange lists the newest first: one page is the whole range. */
  async page(node: LighterNode, { account, after, upTo }: PageRequest): Promise<LedgerPage<LedgerTransaction>> {
    const [found, since] = await Promise.all([
      this.#deps.tokens.using(account, (token) => listRange(node, { account, token, after, upTo })),
      knownSince(node, after + 1n),
    ])
    return { transactions: found, more: null, since }
  }

  async transactions(node: LighterNode, txs: readonly TxRef[]) {
    const found = await Promise.all(txs.map(({ id }) => askTransaction(node, id)))
    const read = found.map((json) => (json === null ? null : readTransaction(json)))
    const hasGone = read.includes(null) && !(await hasAll(node))
    const { time } = read.some((one) => one?.status === 'pending') ? await askHead(node) : { time: 0 }
    return read.map((one) => {
      if (one === null) return hasGone ? ('forgotten' as const) : null
      return isExpired(one, time) ? null : one
    })
  }

  readingOf(transaction: LedgerTransaction): TransactionReading {
    const { block, status } = transaction
    if (block === null) return { status: 'pending', block: null, deposits: [] }
    return {
      status: status === 'success' ? 'success' : 'failure',
      block,
      deposits: readDeposits(transaction, this.#deps.depository),
    }
  }
}

interface Range {
  readonly account: string
  readonly token: string
  readonly after: bigint
  readonly upTo: bigint
}

/**
 * Transfers of an account in a range of heights, oldest first, each once.
 * @throws ServiceError also while one of them is in a block and not committed: the range is read again
 */
const listRange = async (
  node: LighterNode,
  { account, token, after, upTo }: Range,
): Promise<readonly LedgerTransaction[]> => {
  const found = new Map<string, LedgerTransaction>()
  for await (const page of accountPages(node, { account, token, type: TRANSFER })) {
    for (const json of page) {
      const height = BigInt(json.block_height)
      if (height <= after || height > upTo) continue
      const transaction = readTransaction(json)
      if (transaction.status === 'pending') throw unsettled()
      found.set(transaction.hash, transaction)
    }
    // Pending transactions have height 0 and say nothing of where the list has come.
    if (page.some(({ block_height }) => block_height !== '0' && BigInt(block_height) <= after)) break
  }
  return [...found.values()].sort((left, right) => heightOf(left) - heightOf(right))
}

const heightOf = ({ block }: LedgerTransaction): number => Number(block?.height ?? 0n)

const unsettled = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'A transfer of the newest blocks is not committed yet. It is read again.')
