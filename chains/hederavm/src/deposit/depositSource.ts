import { destinationText, type Json } from '@causeway/core'
import type { BlockRef, TxRef } from '@causeway/core/chain'
import type { LedgerPage, LedgerSource, PageRequest, TransactionReading } from '@causeway/core/chain-kit'
import { isEntity } from '../address/addresses.js'
import { nanosOf, timeText } from '../address/times.js'
import { readTransactionId } from '../address/transactionIds.js'
import { readSweepMemo } from '../depositAddress/sweepForms.js'
import type { HederaSettings } from '../options.js'
import { debitedIn, gainIn, isSuccess, type LedgerTransaction, readTransactions } from '../read/transactions.js'
import { type AccountIds, askAccount } from '../rpc/accounts.js'
import { askBlocksAt, askHeadBlock, askOldest, askRange, type BlockRange, refOf } from '../rpc/blocks.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import { askTransaction, askTransactionPage } from '../rpc/transactions.js'
import { type OwnNumbers, readDeposits, type SourceTransaction } from './readDeposits.js'

export interface DepositSourceDeps extends Pick<HederaSettings, 'depository' | 'depositAccount' | 'mirrorLagBlocks'> {
  /** The account that pays the fees of sweeps. */
  readonly solver: string
  readonly ids: AccountIds
}

/** Reads transactions of mirror nodes by consensus time, block by block. A block is final, so there is no `block`. */
export class DepositSource implements LedgerSource<MirrorNode, SourceTransaction> {
  readonly #deps: DepositSourceDeps
  /** The blocks that each node showed last, for the next page of their transactions. */
  readonly #ranges = new WeakMap<MirrorNode, { readonly heights: string; readonly range: BlockRange }>()

  constructor(deps: DepositSourceDeps) {
    this.#deps = deps
  }

  async head(node: MirrorNode): Promise<BlockRef> {
    return refOf(await askHeadBlock(node, this.#deps.mirrorLagBlocks))
  }

  async page(node: MirrorNode, request: PageRequest): Promise<LedgerPage<SourceTransaction>> {
    const { account, mark } = request
    const { ids, depositAccount } = this.#deps
    const [{ first, last, blocksAt }, id] = await Promise.all([
      this.#rangeOf(node, request),
      // The operator may open the account of deposit addresses later.
      account === depositAccount ? ids.at(node, account) : ids.required(node, account),
    ])
    const since = first.height
    if (id === null) return { transactions: [], more: null, since }
    const from = mark === null ? first.from : timeOf(mark) + 1n
    const page = await askTransactionPage(node, { account: id, from, to: last.to, order: 'asc' })
    const transactions = await this.#complete(node, await readTransactions(page.transactions, blocksAt))
    const newest = transactions.at(-1)
    return { transactions, more: page.isWhole || newest === undefined ? null : timeText(newest.consensus), since }
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
    { address, currency }: { readonly address: string; readonly currency: string },
  ): bigint | null {
    const { depository, solver, depositAccount } = this.#deps
    const { depositoryId, solverId, depositAccountId } = transaction.own
    const known = new Map([
      [depositAccount, depositAccountId],
      [solver, solverId],
      [depository, depositoryId],
    ])
    const number = known.get(address) ?? address
    return isEntity(number) ? gainIn(transaction, number, currency) : null
  }

  readingOf(transaction: SourceTransaction): TransactionReading {
    const { block, own } = transaction
    if (block === null) return { status: 'pending', block: null, deposits: [] }
    return {
      status: isSuccess(transaction) ? 'success' : 'failure',
      block,
      deposits: readDeposits(transaction, { depository: this.#deps.depository, ...own }),
    }
  }

  async #rangeOf(node: MirrorNode, { after, upTo, mark }: PageRequest): Promise<BlockRange> {
    const heights = `${after}-${upTo}`
    const known = this.#ranges.get(node)
    if (mark !== null && known?.heights === heights) return known.range
    const range = await askRange(node, after + 1n, upTo)
    this.#ranges.set(node, { heights, range })
    return range
  }

  async #find(node: MirrorNode, id: string): Promise<SourceTransaction | null> {
    const json = await askTransaction(node, id)
    if (json === null) return null
    const read = await readTransactions([json], (times) => askBlocksAt(node, times))
    return (await this.#complete(node, read))[0] ?? null
  }

  async #complete(node: MirrorNode, found: readonly LedgerTransaction[]): Promise<readonly SourceTransaction[]> {
    const { ids, depository, solver, depositAccount } = this.#deps
    const [depositoryId, solverId, depositAccountId] = await Promise.all([
      ids.required(node, depository),
      ids.at(node, solver),
      depositAccount === null ? null : ids.at(node, depositAccount),
    ])
    const own = { depositoryId, solverId, depositAccountId }
    return Promise.all(
      found.map(async (transaction) => {
        const swept = sweptAccount(transaction, own)
        const sweptAddress = swept === null ? null : await this.#addressOf(node, swept, { ...own, ...transaction })
        return { ...transaction, own, sweptAddress }
      }),
    )
  }

  /** The deposit address of a swept account: its EVM address, or the memo that the sweep names. */
  async #addressOf(
    node: MirrorNode,
    swept: string,
    { memo, depositAccountId }: Pick<LedgerTransaction, 'memo'> & Pick<OwnNumbers, 'depositAccountId'>,
  ): Promise<string | null> {
    const { depositAccount: address } = this.#deps
    if (address === null || swept !== depositAccountId) return (await askAccount(node, swept))?.evmAddress ?? null
    const label = readSweepMemo(memo ?? '')?.label
    return destinationText(label === undefined ? { address } : { address, memo: label })
  }
}

/** The account that a sweep took money from: the solver paid the fee, and another account than its own paid the depository. */
const sweptAccount = (transaction: LedgerTransaction, { depositoryId, solverId }: OwnNumbers): string | null => {
  if (transaction.payer !== solverId) return null
  const credit = transaction.moves.find(({ account, amount }) => account === depositoryId && amount > 0n)
  const [from = null, ...more] = credit === undefined ? [] : debitedIn(transaction, credit.currency)
  return more.length > 0 || from === solverId ? null : from
}

const timeOf = (mark: Json): bigint => {
  if (typeof mark === 'string' && /^\d{1,12}\.\d{9}$/.test(mark)) return nanosOf(mark)
  throw new Error('The stored place in a list of transactions cannot be read.')
}
