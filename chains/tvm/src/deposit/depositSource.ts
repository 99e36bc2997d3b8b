import { ServiceError } from '@causeway/core'
import type { Arrival, BlockRef, Live, TxRef } from '@causeway/core/chain'
import {
  type ArrivalsIn,
  askSideBySide,
  type LedgerPage,
  type LedgerSource,
  type PageRequest,
  strangeAnswer,
  type TransactionReading,
} from '@causeway/core/chain-kit'
import { accountOf, addressOf, NATIVE } from '../address/addresses.js'
import {
  currencyOf,
  gainIn,
  nativeMoves,
  type TronTransaction,
  transactionOf,
  transferIn,
  transfersOf,
} from '../read/transactions.js'
import { askBlock, askHead, type Block, blocksIn, refOf } from '../rpc/blocks.js'
import { askInfo, askInfos, askInfosOf, askTransaction } from '../rpc/transactionInfos.js'
import type { TronNode } from '../rpc/tronNode.js'
import { readDeposits, type SourceTransaction } from './readDeposits.js'

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
    const found = await Promise.all(txs.map(({ id }) => this.#find(node, id)))
    if (!found.includes(null)) return found
    // A node that keeps all blocks has the first one.
    const isWhole = (await askBlock(node, 1n)) !== null
    return found.map((one) => one ?? (isWhole ? null : ('forgotten' as const)))
  }

  /** The amount by which a transaction raised a balance; fees are no part of it. */
  gainOf(transaction: SourceTransaction, { address, currency }: { readonly address: string; readonly currency: string }) {
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
    const native = isFunding || value === 0n || kind !== 'TransferContract' ? [] : [{ token: '', from: owner, to, amount: value }]
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

  async #find(node: TronNode, id: string): Promise<SourceTransaction | null> {
    const found = await findTransaction(node, id)
    if (found === null || found.logs.length === 0) return found === null ? null : { ...found, logsBefore: 0 }
    const infos = await askInfos(node, found.block.height)
    const own = infos.findIndex((info) => info.id === id)
    if (own < 0) throw strangeAnswer('a block without its transaction')
    return { ...found, logsBefore: logsIn(infos.slice(0, own)) }
  }
}

interface RangeRead {
  readonly transactions: readonly SourceTransaction[]
  /** Oldest block of the range that the node has. */
  readonly since: bigint
}

const logsIn = (infos: readonly { readonly log?: readonly unknown[] | undefined }[]): number =>
  infos.reduce((sum, { log }) => sum + (log?.length ?? 0), 0)

/** Transactions of a range; blocks without transactions cost no question of their own. */
const readRange = async (node: TronNode, after: bigint, upTo: bigint): Promise<RangeRead> => {
  const blocks: Block[] = []
  let since: bigint | null = null
  for await (const block of blocksIn(node, after + 1n, upTo)) {
    since ??= block.height
    if (block.transactions.length > 0) blocks.push(block)
  }
  const read = await askSideBySide(blocks, (block) => transactionsIn(node, block), { signal: undefined, atOnce: INFOS_AT_ONCE })
  return { transactions: read.flat(), since: since ?? after + 1n }
}

/** Transactions of a block with their results. */
export const transactionsIn = async (node: TronNode, block: Block): Promise<readonly SourceTransaction[]> => {
  const infos = await askInfosOf(node, block.height, block.transactions)
  let logsBefore = 0
  return block.transactions.flatMap((json, at) => {
    const info = infos[at]
    if (info === undefined) return []
    const transaction = { ...transactionOf(json, info, refOf(block)), logsBefore }
    logsBefore += info.log?.length ?? 0
    return [transaction]
  })
}

/** A transaction by its id with its block; null where no block of the node has it. @throws ServiceError */
export const findTransaction = async (node: TronNode, id: string): Promise<TronTransaction | null> => {
  const [json, info] = await Promise.all([askTransaction(node, id), askInfo(node, id)])
  if (json === null || info === null) return null
  if (json.txID !== id || info.id !== id) throw strangeAnswer('another transaction')
  const block = await askBlock(node, BigInt(info.blockNumber ?? 0))
  if (block !== null) return transactionOf(json, info, refOf(block))
  throw new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain lacks the block of a transaction.')
}
