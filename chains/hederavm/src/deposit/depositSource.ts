import { type Json, ServiceError } from '@causeway/core'
import type { BlockRef, TxRef } from '@causeway/core/chain'
import type { LedgerPage, LedgerSource, PageRequest, TransactionReading } from '@causeway/core/chain-kit'
import { isEntity } from '../address/addresses.js'
import { nanosOf, timeText } from '../address/times.js'
import { readTransactionId } from '../address/transactionIds.js'
import { askHead } from '../read/head.js'
import { debitedIn, gainIn, isSuccess, type LedgerTransaction, readTransaction } from '../read/transactions.js'
import { type AccountIds, askAccount } from '../rpc/accounts.js'
import { askBlockAt, askBlocks, askOldest, blockIn } from '../rpc/blocks.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import { askTransaction, askTransactionPage } from '../rpc/transactions.js'
import { type DepositSourceTransaction, readDeposits } from './readDeposits.js'

export interface DepositSourceDeps {
  /** The account that receives deposits. */
  readonly depository: string
  /** The account whose fees sweeps of deposit addresses take. */
  readonly solver: string
  readonly ids: AccountIds
  /** How many of the newest blocks of a mirror node are not read yet. */
  readonly lagBlocks: bigint
}

/** A transaction with the numbers of the accounts of the deployment; empty text for a solver that does not exist. */
export interface SourceTransaction extends DepositSourceTransaction {
  readonly depositoryId: string
  readonly solverId: string
}

/** Reads transactions of mirror nodes by consensus time, block by block. A block is final, so there is no `block`. */
export class DepositSource implements LedgerSource<MirrorNode, SourceTransaction> {
  readonly #deps: DepositSourceDeps

  constructor(deps: DepositSourceDeps) {
    this.#deps = deps
  }

  head(node: MirrorNode): Promise<BlockRef> {
    return askHead(node, this.#deps.lagBlocks)
  }

  async page(node: MirrorNode, request: PageRequest): Promise<LedgerPage<SourceTransaction>> {
    const { account, after, upTo, mark } = request
    const [blocks, id] = await Promise.all([askBlocks(node, after + 1n, upTo), this.#deps.ids.required(node, account)])
    const [first, last] = [blocks[0], blocks.at(-1)]
    if (first === undefined || last === undefined || last.height < upTo) throw behind()
    const since = first.height
    const from = mark === null ? first.from : timeOf(mark) + 1n
    const page = await askTransactionPage(node, { account: id, from, to: last.to, order: 'asc' })
    const read = page.transactions.map((json) =>
      readTransaction(json, blockIn(blocks, nanosOf(json.consensus_timestamp))),
    )
    const newest = read.at(-1)
    return {
      transactions: await this.#complete(node, read),
      more: page.isWhole || newest === undefined ? null : timeText(newest.consensus),
      since,
    }
  }

  async transactions(node: MirrorNode, txs: readonly TxRef[]) {
    const found = await Promise.all(txs.map(({ id }) => this.#find(node, id)))
    if (!found.includes(null)) return found
    const { from, height } = await askOldest(node)
    return found.map((one, at) => {
      const start = readTransactionId(txs[at]?.id ?? '')?.start ?? 0n
      // A transaction reaches consensus after its valid start.
      return one ?? (height === 0n || from <= start ? null : ('forgotten' as const))
    })
  }

  /** The amount by which a transaction raised a balance; null for an account that the transaction names otherwise. */
  gainOf(
    transaction: SourceTransaction,
    account: { readonly address: string; readonly currency: string },
  ): bigint | null {
    const { depository, solver } = this.#deps
    const { address, currency } = account
    const own = address === depository ? transaction.depositoryId : address === solver ? transaction.solverId : address
    return isEntity(own) ? gainIn(transaction, own, currency) : null
  }

  readingOf(transaction: SourceTransaction): TransactionReading {
    const { block, depositoryId } = transaction
    if (block === null) return { status: 'pending', block: null, deposits: [] }
    return {
      status: isSuccess(transaction) ? 'success' : 'failure',
      block,
      deposits: readDeposits(transaction, { depository: this.#deps.depository, depositoryId }),
    }
  }

  async #find(node: MirrorNode, id: string): Promise<SourceTransaction | null> {
    const json = await askTransaction(node, id)
    if (json === null) return null
    const block = await askBlockAt(node, nanosOf(json.consensus_timestamp))
    const [transaction = null] = await this.#complete(node, [readTransaction(json, block)])
    return transaction
  }

  async #complete(node: MirrorNode, found: readonly LedgerTransaction[]): Promise<readonly SourceTransaction[]> {
    const { ids, depository, solver } = this.#deps
    const [depositoryId, solverId] = await Promise.all([ids.required(node, depository), ids.at(node, solver)])
    return Promise.all(
      found.map(async (transaction) => {
        const swept = sweptAccount(transaction, { depositoryId, solverId })
        const sweptAddress = swept === null ? null : ((await askAccount(node, swept))?.evmAddress ?? null)
        return { ...transaction, depositoryId, solverId: solverId ?? '', sweptAddress }
      }),
    )
  }
}

/** The account that a sweep took money from: the solver paid the fee, and another account than its own paid the depository. */
const sweptAccount = (
  transaction: LedgerTransaction,
  { depositoryId, solverId }: { readonly depositoryId: string; readonly solverId: string | null },
): string | null => {
  if (transaction.payer !== solverId) return null
  const credit = transaction.moves.find(({ account, amount }) => account === depositoryId && amount > 0n)
  if (credit === undefined) return null
  const [from, ...more] = debitedIn(transaction, credit.currency)
  return more.length > 0 || from === solverId ? null : (from ?? null)
}

const timeOf = (mark: Json): bigint => {
  if (typeof mark === 'string' && /^\d{1,12}\.\d{9}$/.test(mark)) return nanosOf(mark)
  throw new Error('The stored place in a list of transactions cannot be read.')
}

const behind = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'A mirror node of this chain does not have the blocks that are asked for.')
