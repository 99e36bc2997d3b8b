import type { Arrival, BlockRef, Live, TxRef } from '@causeway/core/chain'
import {
  type ArrivalsIn,
  askSideBySide,
  type LedgerPage,
  type LedgerSource,
  type PageRequest,
  type TransactionReading,
} from '@causeway/core/chain-kit'
import { accountOf, addressOf, NATIVE } from '../address/addresses.js'
import { findWithLogs, type SourceTransaction, transactionsIn } from '../read/blockTransactions.js'
import { currencyOf, gainIn, nativeMoves, type TronTransaction, transferIn, transfersOf } from '../read/transactions.js'
import { askBlock, askHead, type Block, blocksIn, refOf } from '../rpc/blocks.js'
import type { TronNode } from '../rpc/tronNode.js'
import { readDeposits } from './readDeposits.js'

export interface DepositSourceDeps {
  readonly depository: string
  /** The account that funds deposit addresses for their sweeps. */
  readonly solver: string
}

/** Results that are asked for at once. */
const INFOS_AT_ONCE = 8

/** Reads the chain block by block, with the results of each block that has transactions (chains.md tvm 4). */
export class DepositSource implements LedgerSource<TronNode, SourceTransaction> {
  readonly #depository: string
  readonly #solver: string
  /** The range that each node showed last: deposits and arrivals are read from the same blocks. */
  readonly #ranges = new WeakMap<TronNode, { readonly key: string; readonly read: Promise<RangeRead> }>()

  constructor({ depository, solver }: DepositSourceDeps) {
    this.#depository = accountOf(depository)
    this.#solver = accountOf(solver)
  }

  async head(node: TronNode): Promise<BlockRef> {
    return refOf(await askHead(node))
  }

  async block(node: TronNode, height: bigint): Promise<BlockRef | null> {
    const block = await askBlock(node, height)
    return block === null ? null : refOf(block)
  }

  async page(node: TronNode, { after, upTo }: PageRequest): Promise<LedgerPage<SourceTransaction>> {
    const { transactions, since } = await this.#read(node, after, upTo)
    // Blocks that were replaced meanwhile are read again by the next step.
    this.#ranges.delete(node)
    const found = transactions.filter((transaction) => this.#concerns(transaction))
    return { transactions: found, more: null, since }
  }

  /** Payments to deposit addresses. TRX by which the solver funds a sweep is none. */
  readonly arrivals: ArrivalsIn<TronNode> = async (node, { after, upTo }, live) => {
    const { transactions } = await this.#read(node, after, upTo)
    return transactions.flatMap((transaction) => this.#arrivalsOf(transaction, live))
  }

  async transactions(node: TronNode, txs: readonly TxRef[]) {
    const found = await Promise.all(txs.map(({ id }) => findWithLogs(node, id)))
    if (!found.includes(null)) return found
    // A node that keeps all blocks has the first one.
    const isWhole = (await askBlock(node, 1n)) !== null
    return found.map((one) => one ?? (isWhole ? null : ('forgotten' as const)))
  }

  /** The amount by which a transaction raised a balance; fees are no part of it. */
  gainOf(
    transaction: SourceTransaction,
    { address, currency }: { readonly address: string; readonly currency: string },
  ) {
    const moves = currency === NATIVE ? nativeMoves(transaction) : transfersOf(transaction, accountOf(currency))
    return gainIn(moves, accountOf(address))
  }

  readingOf(transaction: SourceTransaction): TransactionReading {
    return {
      status: transaction.failure === null ? 'success' : 'failure',
      block: transaction.block,
      deposits: readDeposits(transaction, this.#depository),
    }
  }

  #concerns({ logs }: TronTransaction): boolean {
    return logs.some((log) => log.address === this.#depository || transferIn(log)?.to === this.#depository)
  }

  #arrivalsOf(transaction: TronTransaction, live: Live): readonly Arrival[] {
    const { id, block, owner, failure, kind, to, value } = transaction
    if (failure !== null) return []
    const isFunding = owner === this.#solver && kind === 'TransferContract'
    const native =
      isFunding || value === 0n || kind !== 'TransferContract' ? [] : [{ token: '', from: owner, to, amount: value }]
    const tokens = transaction.logs.flatMap((log) => {
      const transfer = transferIn(log)
      return transfer === null || transfer.amount === 0n ? [] : [{ ...transfer, token: log.address }]
    })
    const counts = new Map<string, number>()
    return [...native, ...tokens].flatMap((move): readonly Arrival[] => {
      const address = addressOf(move.to)
      if (!live.has(address)) return []
      const key = `${address} ${move.token}`
      const position = counts.get(key) ?? 0
      counts.set(key, position + 1)
      const money = { currency: currencyOf(move.token), amount: move.amount }
      return [{ state: 'included', tx: { id }, position, to: { address }, money, sender: addressOf(move.from), block }]
    })
  }

  #read(node: TronNode, after: bigint, upTo: bigint): Promise<RangeRead> {
    const key = `${after}-${upTo}`
    const known = this.#ranges.get(node)
    if (known?.key === key) return known.read
    const read = readRange(node, after, upTo)
    this.#ranges.set(node, { key, read })
    read.catch(() => this.#ranges.delete(node))
    return read
  }
}

interface RangeRead {
  readonly transactions: readonly SourceTransaction[]
  /** Oldest block of the range that the node has. */
  readonly since: bigint
}

/** Transactions of a range; blocks without transactions cost no question of their own. */
const readRange = async (node: TronNode, after: bigint, upTo: bigint): Promise<RangeRead> => {
  const blocks: Block[] = []
  let since: bigint | null = null
  for await (const block of blocksIn(node, after + 1n, upTo)) {
    since ??= block.height
    if (block.transactions.length > 0) blocks.push(block)
  }
  const read = await askSideBySide(blocks, (block) => transactionsIn(node, block), {
    signal: undefined,
    atOnce: INFOS_AT_ONCE,
  })
  return { transactions: read.flat(), since: since ?? after + 1n }
}
