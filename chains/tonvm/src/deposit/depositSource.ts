import type { BlockRef, TxRef } from '@causeway/core/chain'
import type { LedgerPage, LedgerSource, PageRequest, TransactionReading } from '@causeway/core/chain-kit'
import type { Transaction } from '@ton/core'
import { NATIVE } from '../address/addresses.js'
import { readPayment } from '../lane/readPayment.js'
import { requestOf } from '../lane/sentTransaction.js'
import {
  askAccount,
  askNewest,
  blockOf,
  blocksOf,
  findAccount,
  findAt,
  PrunedError,
  transactionsBack,
} from '../read/accounts.js'
import type { JettonWallets } from '../read/jettonWallets.js'
import type { TonNode } from '../rpc/tonApi.js'
import { readNotification } from './jettonBodies.js'
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
  readonly #deps: DepositSourceDeps

  constructor(deps: DepositSourceDeps) {
    this.#deps = deps
  }

  head(node: TonNode): Promise<BlockRef> {
    return askNewest(node)
  }

  async page(node: TonNode, { account, after, upTo }: PageRequest): Promise<LedgerPage<SourceTransaction>> {
    const [before, state] = await Promise.all([findAccount(node, account, after), askAccount(node, account, upTo)])
    if (before === null) return { transactions: [], more: null, since: upTo + 1n }
    const found: Transaction[] = []
    try {
      const back = transactionsBack(node, account, state.last, before.last?.lt ?? 0n)
      for await (const transaction of back) found.push(transaction)
    } catch (error) {
      if (!(error instanceof PrunedError)) throw error
      return { transactions: [], more: null, since: upTo + 1n }
    }
    const blocks = await blocksOf(node, account, found, { from: after, to: upTo })
    const placed = found.reverse().flatMap((transaction) => {
      const block = blocks.get(transaction.lt)
      return block === undefined ? [] : [{ account, transaction, block }]
    })
    return {
      transactions: await Promise.all(placed.map((one) => this.complete(node, one))),
      more: null,
      since: after + 1n,
    }
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
    const { depository, depositAccount, isTestnet } = this.#deps
    const deposits =
      account === depository
        ? readDeposits({ transaction, block }, { depository, depositAccount, isTestnet, jettons })
        : []
    return { status: deposits.length > 0 || !wasAborted(transaction) ? 'success' : 'failure', block, deposits }
  }

  /** By its locator; without one among the newest transactions of the depository and of the account of deposit addresses. */
  async #find(node: TonNode, { id, locator }: TxRef, head: bigint): Promise<SourceTransaction | null> {
    const { account: named, lt, block: hint }: Record<string, unknown> = Object(locator)
    if (!/^[0-9a-f]{64}$/.test(id)) return null
    const height = typeof hint === 'string' && /^\d{1,12}$/.test(hint) ? BigInt(hint) : null
    const isPlaced = typeof lt === 'string' && /^\d{1,20}$/.test(lt)
    const { depository, depositAccount } = this.#deps
    for (const account of named === undefined ? [depository, depositAccount] : [named]) {
      if (typeof account !== 'string') continue
      const transaction = isPlaced
        ? await findAt(node, account, { lt: BigInt(lt), hash: id, block: height }, head)
        : await findRecent(node, { account, id, head })
      if (transaction === null) continue
      const block = await blockOf(node, account, transaction, { head, hint: height })
      return block && this.complete(node, { account, transaction, block })
    }
    return null
  }

  /** Adds the masters of the jetton wallets that a transaction names. */
  async complete(node: TonNode, placed: Omit<SourceTransaction, 'jettons'>): Promise<SourceTransaction> {
    const { account, transaction } = placed
    const found = await Promise.all(
      jettonWalletsIn(transaction, account).map(async (wallet) => {
        const master = await this.#deps.wallets.masterOf(node, wallet, account)
        return master === null ? [] : [[wallet, master] as const]
      }),
    )
    return { ...placed, jettons: new Map(found.flat()) }
  }
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

const findRecent = async (
  node: TonNode,
  { account, id, head }: { readonly account: string; readonly id: string; readonly head: bigint },
): Promise<Transaction | null> => {
  const { last } = await askAccount(node, account, head)
  let count = 0
  for await (const transaction of transactionsBack(node, account, last, 0n)) {
    if (transaction.hash().toString('hex') === id) return transaction
    count += 1
    if (count >= MOST_SEARCHED)
      throw new PrunedError(`the transaction among the newest ${MOST_SEARCHED} of the account`)
  }
  return null
}
