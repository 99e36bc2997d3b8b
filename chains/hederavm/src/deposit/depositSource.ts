import { destinationText, type Json, ServiceError } from '@causeway/core'
import type { BlockRef, TxRef } from '@causeway/core/chain'
import type { LedgerPage, LedgerSource, PageRequest, TransactionReading } from '@causeway/core/chain-kit'
import { isEntity } from '../address/addresses.js'
import { nanosOf, timeText } from '../address/times.js'
import { readTransactionId } from '../address/transactionIds.js'
import { readSweepMemo } from '../depositAddress/sweepForms.js'
import { askHead } from '../read/head.js'
import { debitedIn, gainIn, isSuccess, type LedgerTransaction, readTransaction } from '../read/transactions.js'
import { type AccountIds, askAccount } from '../rpc/accounts.js'
import { askBlockAt, askOldest, askRange } from '../rpc/blocks.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import { askTransaction, askTransactionPage } from '../rpc/transactions.js'
import { readDeposits, type SourceTransaction } from './readDeposits.js'

export interface DepositSourceDeps {
  /** The account that receives deposits. */
  readonly depository: string
  /** The account whose fees sweeps of deposit addresses take. */
  readonly solver: string
  /** The account whose memos are deposit addresses; null: there is none. */
  readonly depositAccount: string | null
  readonly ids: AccountIds
  /** How many of the newest blocks of a mirror node are not read yet. */
  readonly lagBlocks: bigint
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
    const { ids, depositAccount } = this.#deps
    const [{ first, last, blockAt }, id] = await Promise.all([
      askRange(node, after + 1n, upTo),
      // The operator may open the account of deposit addresses later.
      account === depositAccount ? ids.at(node, account) : ids.required(node, account),
    ])
    if (last.height < upTo) throw behind()
    const since = first.height
    if (id === null) return { transactions: [], more: null, since }
    const from = mark === null ? first.from : timeOf(mark) + 1n
    const page = await askTransactionPage(node, { account: id, from, to: last.to, order: 'asc' })
    const read = await Promise.all(
      page.transactions.map(async (json) => readTransaction(json, await blockAt(nanosOf(json.consensus_timestamp)))),
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
    const { depository, solver, depositAccount } = this.#deps
    const { address, currency } = account
    const { depositoryId, solverId, depositAccountId } = transaction
    const known = new Map([
      [depositAccount, depositAccountId],
      [solver, solverId],
      [depository, depositoryId],
    ])
    const own = known.get(address) ?? address
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
    const { ids, depository, solver, depositAccount } = this.#deps
    const [depositoryId, solverId, depositAccountId] = await Promise.all([
      ids.required(node, depository),
      ids.at(node, solver),
      depositAccount === null ? null : ids.at(node, depositAccount),
    ])
    return Promise.all(
      found.map(async (transaction) => {
        const swept = sweptAccount(transaction, { depositoryId, solverId })
        const numbers = { depositoryId, solverId: solverId ?? '', depositAccountId: depositAccountId ?? '' }
        if (swept !== null && swept === depositAccountId && depositAccount !== null)
          return { ...transaction, ...numbers, sweptAddress: sweptMemo(transaction, depositAccount) }
        const sweptAddress = swept === null ? null : ((await askAccount(node, swept))?.evmAddress ?? null)
        return { ...transaction, ...numbers, sweptAddress }
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

const sweptMemo = ({ memo }: LedgerTransaction, address: string): string => {
  const label = readSweepMemo(memo ?? '')?.label
  return destinationText(label === undefined ? { address } : { address, memo: label })
}

const timeOf = (mark: Json): bigint => {
  if (typeof mark === 'string' && /^\d{1,12}\.\d{9}$/.test(mark)) return nanosOf(mark)
  throw new Error('The stored place in a list of transactions cannot be read.')
}

const behind = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'A mirror node of this chain does not have the blocks that are asked for.')
