import { type Json, larger, ServiceError, smaller } from '@causeway/core'
import type { BlockRef, TxRef } from '@causeway/core/chain'
import {
  type JsonRpcEndpoint,
  type LedgerPage,
  type LedgerSource,
  type PageRequest,
  strangeAnswer,
  type TransactionReading,
} from '@causeway/core/chain-kit'
import { isSuccess, type LedgerTransaction } from '../read/transactions.js'
import { memberOf } from '../rpc/fields.js'
import { coversAll, type LedgerRanges, OLDEST_LEDGER, wholeSince } from '../rpc/ledgerRanges.js'
import type { ServerInfo } from '../rpc/serverInfo.js'
import { askAccountPage, askHead, askServerInfo, askTransactions } from '../rpc/xrpNode.js'
import { readDeposits } from './readDeposits.js'

export interface DepositSourceDeps {
  /** The account that receives deposits. */
  readonly depository: string
  /** Oldest ledger that may hold a deposit, where the operator says so. */
  readonly startLedger: number | null
}

/** Reads deposits of the ledger. A validated ledger is final, so there is no `block`. */
export class DepositSource implements LedgerSource<JsonRpcEndpoint, LedgerTransaction> {
  readonly #deps: DepositSourceDeps

  constructor(deps: DepositSourceDeps) {
    this.#deps = deps
  }

  head(node: JsonRpcEndpoint): Promise<BlockRef> {
    return askHead(node)
  }

  async page(node: JsonRpcEndpoint, request: PageRequest): Promise<LedgerPage<LedgerTransaction>> {
    const { account, after, upTo, mark } = request
    const question = { account, first: after + 1n, last: upTo, marker: mark }
    const [page, { complete }] = await Promise.all([askAccountPage(node, question), askServerInfo(node)])
    const since = wholeSinceAt(complete, upTo)
    if (page === null) {
      if (since > after + 1n) return { transactions: [], more: null, since }
      throw strangeAnswer('account_tx refuses ledgers that server_info names')
    }
    if (page.last < upTo) throw behind()
    return { transactions: page.transactions, more: page.marker, since: larger(since, page.first) }
  }

  /** A transaction that a node does not show is asked for once more after the node named its ledgers, so that it had them all along. */
  async transactions(node: JsonRpcEndpoint, txs: readonly TxRef[]) {
    const ids = txs.map(({ id }) => id)
    const first = await askTransactions(node, ids)
    if (!first.includes(null)) return first
    const info = await askServerInfo(node)
    const again = await askTransactions(node, ids)
    return again.map((transaction, at) => transaction ?? (this.#denies(info, txs[at]) ? null : ('forgotten' as const)))
  }

  readingOf(transaction: LedgerTransaction): TransactionReading {
    const { validated } = transaction
    if (validated === null) return { status: 'pending', block: null, deposits: [] }
    return {
      status: isSuccess(transaction) ? 'success' : 'failure',
      block: validated.block,
      deposits: readDeposits(transaction, this.#deps.depository),
    }
  }

  /** Whether a node has the ledger that a transaction must be in; all ledgers, where that one is unknown. */
  #denies({ complete, validated }: ServerInfo, tx: TxRef | undefined): boolean {
    if (validated === null) return false
    const height = heightOf(tx?.locator)
    if (height !== null) return coversAll(complete, height, height)
    const { startLedger } = this.#deps
    const first = complete[0]?.first ?? OLDEST_LEDGER
    if (startLedger === null && first > OLDEST_LEDGER) return false
    const oldest = startLedger === null ? first : BigInt(startLedger)
    const newest = smaller(validated.height, complete.at(-1)?.last ?? 0n)
    return coversAll(complete, oldest, newest)
  }
}

/** The ledger of a stored locator; null where it names none. */
const heightOf = (locator: Json | undefined): bigint | null => {
  const ledger = memberOf(locator, 'ledger')
  return typeof ledger === 'string' && /^\d{1,10}$/.test(ledger) ? BigInt(ledger) : null
}

/** The newest ledger is listed as complete a moment after it is validated. */
const wholeSinceAt = (complete: LedgerRanges, height: bigint): bigint => {
  const since = wholeSince(complete, smaller(height, complete.at(-1)?.last ?? 0n))
  if (since === null) throw behind()
  return since
}

const behind = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain does not have the ledgers that are asked for.')
