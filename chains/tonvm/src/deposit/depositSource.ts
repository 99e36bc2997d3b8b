import { type Json, RecentMap } from '@causeway/core'
import type { BlockRef, TxRef } from '@causeway/core/chain'
import {
  askSideBySide,
  type LedgerPage,
  type LedgerSource,
  type PageRequest,
  type TransactionReading,
} from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Transaction } from '@ton/core'
import { NATIVE } from '../address/addresses.js'
import { readPayment } from '../lane/readPayment.js'
import { requestOf } from '../lane/sentTransaction.js'
import { askAccount, askNewest, blockOf, blocksOf, findAt, PrunedError, transactionsBack } from '../read/accounts.js'
import type { JettonWallets } from '../read/jettonWallets.js'
import type { TonNode, TransactionName } from '../rpc/tonApi.js'
import { readNotification } from './jettonBodies.js'
import { originIds } from './originIds.js'
import { creditOf, readDeposits } from './readDeposits.js'

/** A transaction of an account, its block, and the masters of the jetton wallet that sent its message. */
export interface SourceTransaction {
  readonly account: string
  readonly transaction: Transaction
  readonly block: BlockRef
  /** Masters by the raw addresses of jetton wallets of the account. */
  readonly jettons: ReadonlyMap<string, string>
}

export interface DepositSourceDeps {
  readonly depository: string
  readonly depositAccount: string | null
  readonly isTestnet: boolean
  readonly wallets: JettonWallets
}

/** Transactions of an account, from the state after one masterchain block back to the state after another. A block is final, so there is no `block`. */
export class DepositSource implements LedgerSource<TonNode, SourceTransaction> {
  /** Locators of transactions of deposit addresses by their ids, which no list of the depository has. */
  readonly seen = new RecentMap<string, Json>(10_000)

  constructor(readonly deps: DepositSourceDeps) {}

  head(node: TonNode): Promise<BlockRef> {
    return askNewest(node)
  }

  async page(node: TonNode, request: PageRequest): Promise<LedgerPage<SourceTransaction>> {
    const { account, after, upTo } = request
    const part = await oldestPart(node, request)
    if (part === null) return { transactions: [], more: null, since: upTo + 1n }
    const { found, more } = part
    const lts = found.map(({ lt }) => lt)
    const blocks = await blocksOf(node, account, lts, { from: after, to: upTo })
    const placed = found.reverse().flatMap((transaction) => {
      const block = blocks.get(transaction.lt)
      return block === undefined ? [] : [{ account, transaction, block }]
    })
    const transactions = await askSideBySide(placed, (one) => this.complete(node, one), { signal: undefined })
    return { transactions, more, since: after + 1n }
  }

  async transactions(node: TonNode, txs: readonly TxRef[]) {
    const { height: head } = await askNewest(node)
    return Promise.all(
      txs.map(async (tx) => {
        try {
          return await this.#find(node, tx, head)
        } catch (error) {
          if (error instanceof PrunedError) return 'forgotten' as const
          throw error
        }
      }),
    )
  }

  /** The amount by which a transaction raised the balance of its own account; null for any other account. */
  gainOf(
    { account, transaction, jettons }: SourceTransaction,
    { address, currency }: { readonly address: string; readonly currency: string },
  ): bigint | null {
    if (address !== account) return null
    const credit = creditOf(transaction, { depository: account, jettons })
    return credit?.currency === currency ? credit.amount : currency === NATIVE ? null : 0n
  }

  readingOf({ account, transaction, block, jettons }: SourceTransaction): TransactionReading {
    const isOfDepository = account === this.deps.depository
    const deposits = isOfDepository ? readDeposits({ transaction, block }, { ...this.deps, jettons }) : []
    return { status: deposits.length > 0 || !wasAborted(transaction) ? 'success' : 'failure', block, deposits }
  }

  /** By its locator; without one among the newest transactions of the depository and of the account of deposit addresses. */
  async #find(node: TonNode, { id, locator }: TxRef, head: bigint): Promise<SourceTransaction | null> {
    const { account: named, lt, block }: Record<string, unknown> = Object(locator ?? this.seen.get(id))
    if (!/^[0-9a-f]{64}$/.test(id)) return null
    const hint = typeof block === 'string' && /^\d{1,12}$/.test(block) ? BigInt(block) : null
    const isPlaced = typeof lt === 'string' && /^\d{1,20}$/.test(lt)
    const { depository, depositAccount } = this.deps
    for (const account of named === undefined ? [depository, depositAccount] : [named]) {
      if (typeof account !== 'string') continue
      const transaction = isPlaced
        ? await findAt(node, account, { lt: BigInt(lt), hash: id, block: hint }, head)
        : await findRecent(node, { account, id, head })
      const found = transaction && (await blockOf(node, account, transaction.lt, { head, hint }))
      if (transaction && found) return this.complete(node, { account, transaction, block: found })
    }
    return null
  }

  /** Adds the masters of the jetton wallets that a transaction names. */
  async complete(node: TonNode, placed: Omit<SourceTransaction, 'jettons'>): Promise<SourceTransaction> {
    const { account, transaction } = placed
    const jettons = new Map<string, string>()
    for (const wallet of jettonWalletsIn(transaction, account)) {
      const master = await this.deps.wallets.masterOf(node, wallet, account)
      if (master !== null) jettons.set(wallet, master)
    }
    return { ...placed, jettons }
  }
}

/** Transactions of one page. Of a longer range only the names of those with which pages begin are kept. */
const PAGE = 1000

/**
 * The oldest transactions of a range that were not returned yet, newest first. The mark lists the transactions with which the later pages
 * begin, newest first, then that of this page. Null: the node lacks a part of the range.
 */
const oldestPart = async (node: TonNode, { account, after, upTo, mark }: PageRequest) => {
  try {
    const marks = readMarks(mark)
    // The newest transaction of the range, and the newest one before it.
    const [first = null, end = null] =
      marks.length > 1
        ? marks.slice(-2)
        : (await Promise.all([askAccount(node, account, upTo), askAccount(node, account, after)])).map(
            ({ last }) => last,
          )
    const found: Transaction[] = []
    const begun: TransactionName[] = []
    for await (const transaction of transactionsBack(node, account, first, end?.lt ?? 0n)) {
      if (found.length === PAGE) found.length = 0
      if (found.length === 0) begun.push({ lt: transaction.lt, hash: transaction.hash().toString('hex') })
      found.push(transaction)
    }
    const rest = [...marks.slice(0, -2), ...begun]
    return { found, more: rest.length < 2 ? null : rest.map(({ lt, hash }) => [`${lt}`, hash]) }
  } catch (error) {
    if (error instanceof PrunedError) return null
    throw error
  }
}

const MARKS = Type.Array(
  Type.Tuple([Type.String({ pattern: '^\\d{1,20}$' }), Type.String({ pattern: '^[0-9a-f]{64}$' })]),
)

const readMarks = (mark: Json): readonly TransactionName[] => {
  if (mark === null) return []
  if (!Value.Check(MARKS, mark)) throw new Error('The stored place in a list of transactions cannot be read.')
  return mark.map(([lt, hash]) => ({ lt: BigInt(lt), hash }))
}

/** Accounts that a transaction takes for jetton wallets of its own account: the sender of a notification, and what it tells to transfer. */
const jettonWalletsIn = (transaction: Transaction, account: string): readonly string[] => {
  const { inMessage } = transaction
  if (inMessage?.info.type === 'internal')
    return readNotification(inMessage.body) === null ? [] : [inMessage.info.src.toRawString()]
  return (requestOf(transaction)?.request.messages ?? []).flatMap(
    (message) => readPayment(message, account)?.jettons?.wallet ?? [],
  )
}

const wasAborted = ({ description }: Transaction): boolean => description.type === 'generic' && description.aborted

/** Transactions that are searched for an id without a place. Beyond them an older transaction is forgotten, never absent. */
const MOST_SEARCHED = 500
/** The newest of them may be named by an id of the wallet that sent the deposit: a client knows no other. */
const MOST_NAMED_BY_WALLETS = 16

const findRecent = async (
  node: TonNode,
  { account, id, head }: { readonly account: string; readonly id: string; readonly head: bigint },
): Promise<Transaction | null> => {
  const { last } = await askAccount(node, account, head)
  const searched: Transaction[] = []
  for await (const transaction of transactionsBack(node, account, last, 0n)) {
    if (transaction.hash().toString('hex') === id) return transaction
    if (searched.push(transaction) >= MOST_SEARCHED) break
  }
  for (const transaction of searched.slice(0, MOST_NAMED_BY_WALLETS))
    if ((await originIds(node, transaction, head))?.includes(id)) return transaction
  if (searched.length < MOST_SEARCHED) return null
  throw new PrunedError(`the transaction among the newest ${MOST_SEARCHED} of the account`)
}
