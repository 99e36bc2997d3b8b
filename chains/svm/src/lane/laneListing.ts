import { larger, ServiceError } from '@causeway/core'
import {
  type JsonRpcEndpoint,
  type LaneListing,
  type LaneSince,
  paymentMemo,
  type RpcCall,
  resultOf,
  type SentTransaction,
} from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { type PayoutMemo, readPayoutMemo } from '../payout/memo/memoText.js'
import { readBlock } from '../rpc/head/blockReader.js'
import { blockCall, type RpcBlock, type RpcSignature, type RpcTransaction, transactionCall } from '../rpc/wire.js'
import { firstSlot, VALID_BLOCKS } from './laneMoment.js'
import { lamportsGained, memosOf, tokensGained, txDataOf } from './transactionFacts.js'

/** Slots before the journal's last block in which its transactions may still have landed. */
const MARGIN_SLOTS = 1000n
const TRANSACTIONS_BATCH = 50
/** Pages that are looked through for where the numbers of a lane that was never used here go on. */
const MAX_FIRST_PAGES = 1000

export interface ListingDeps {
  readonly depository: string
  readonly signaturePage: number
}

export interface ListingQuestion {
  readonly account: string
  readonly since: LaneSince | null
  /** Numbers below it are of no interest. */
  readonly least: bigint
}

interface Found {
  readonly signature: string
  readonly memo: PayoutMemo
  readonly transaction: RpcTransaction
}

/** Nodes list the memos too, each behind its length in brackets. */
interface ListedSignature extends RpcSignature {
  readonly memo?: string | null
}

/**
 * Transactions that an account paid for and whose memo carries a number, page by page, newest first. Of a page only these are kept:
 * transactions that merely name the account make the reading longer, and neither larger nor incomplete. Without `since` it ends at the
 * newest page that has one, and lists the one with the highest number.
 */
export const listSent = async (
  node: JsonRpcEndpoint,
  question: ListingQuestion,
  deps: ListingDeps,
): Promise<LaneListing> => {
  const { account, since, least } = question
  if (since === null)
    return { transactions: await describe(node, account, await readNewest(node, account, deps), deps) }
  const oldest = ('height' in since ? since.height : 0n) - MARGIN_SLOTS
  const found: Found[] = []
  for (let before: string | null = null; ; ) {
    const page = await readPage(node, account, before, deps)
    const young = page.filter(({ slot }) => BigInt(slot) >= oldest)
    found.push(...(await readOwn(node, account, young, least)))
    const last = page.at(-1)
    if (last === undefined || young.length < page.length) {
      const first = last === undefined ? await firstSlot(node) : oldest
      const transactions = await describe(node, account, found, deps)
      return first <= larger(oldest, 0n)
        ? { transactions }
        : { transactions, gap: `a node has no transactions before slot ${first}` }
    }
    if (last.signature === before)
      throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain lists signatures without end.')
    before = last.signature
  }
}

/** The one with the highest number in the newest page that has one, beneath all that merely names the account. */
const readNewest = async (node: JsonRpcEndpoint, account: string, deps: ListingDeps): Promise<readonly Found[]> => {
  let before: string | null = null
  for (let pages = 0; pages < MAX_FIRST_PAGES; pages += 1) {
    const page = await readPage(node, account, before, deps)
    const [first, ...rest] = await readOwn(node, account, page, 0n)
    if (first !== undefined)
      return [rest.reduce((most, one) => (one.memo.sequence > most.memo.sequence ? one : most), first)]
    const last = page.at(-1)
    if (last === undefined || page.length < deps.signaturePage) break
    before = last.signature
  }
  return []
}

/** A page of signatures, newest first, older than `before`. */
const readPage = async (
  node: JsonRpcEndpoint,
  account: string,
  before: string | null,
  { signaturePage: limit }: ListingDeps,
): Promise<readonly ListedSignature[]> => {
  const options = { limit, commitment: 'confirmed', ...(before === null ? {} : { before }) }
  const [page] = await node.batch([{ method: 'getSignaturesForAddress', params: [account, options] }])
  return resultOf(page, 'getSignaturesForAddress')
}

/** Transactions that the account itself paid for and whose memo carries a number from `least` on. */
const readOwn = async (
  node: JsonRpcEndpoint,
  account: string,
  signatures: readonly ListedSignature[],
  least: bigint,
): Promise<readonly Found[]> => {
  const wanted = signatures.filter(({ memo }) => mayBeOwn(memo, least)).map(({ signature }) => signature)
  const found: Found[] = []
  for (let at = 0; at < wanted.length; at += TRANSACTIONS_BATCH) {
    const part = wanted.slice(at, at + TRANSACTIONS_BATCH)
    const outcomes = await node.batch(part.map((signature): RpcCall => transactionCall(signature)))
    for (const [place, signature] of part.entries()) {
      const transaction = resultOf<RpcTransaction | null>(outcomes[place], 'getTransaction')
      if (transaction === null) throw new Error('A listed transaction cannot be read yet.')
      // Anybody can write a memo that looks like ours into a transaction that names the address.
      if (transaction.transaction.message.accountKeys[0] !== account) continue
      const [memo] = memosOf(transaction).flatMap((text) => readPayoutMemo(text) ?? [])
      if (memo !== undefined && memo.sequence >= least) found.push({ signature, memo, transaction })
    }
  }
  return found
}

/** False where the list says already that it is no payment of a lane, or one that the journal has. Some nodes list no memos. */
const mayBeOwn = (memo: string | null | undefined, least: bigint): boolean => {
  if (memo === undefined) return true
  return (memo ?? '').split(/; (?=\[\d+\] )/).some((text) => {
    const said = readPayoutMemo(text.replace(/^\[\d+\] /, ''))
    return said !== null && said.sequence >= least
  })
}

const describe = async (
  node: JsonRpcEndpoint,
  account: string,
  found: readonly Found[],
  { depository }: ListingDeps,
): Promise<readonly SentTransaction[]> => {
  const slots = [...new Set(found.map(({ transaction }) => BigInt(transaction.slot)))]
  const outcomes = slots.length === 0 ? [] : await node.batch(slots.map((slot) => blockCall(slot)))
  return found.map(({ signature, memo, transaction }): SentTransaction => {
    const slot = BigInt(transaction.slot)
    const outcome = outcomes[slots.indexOf(slot)]
    const block = readBlock(slot, outcome)
    if (block === null) throw new Error('The block of a listed transaction cannot be read.')
    const { blockHeight } = resultOf<RpcBlock>(outcome, 'getBlock')
    const moved = memo.purpose === 'sweep' ? sweptBy(depository, transaction) : movedBy(account, memo, transaction)
    return {
      tx: { id: signature },
      sequence: BigInt(memo.sequence),
      // Its blockhash was valid in its block, so it was valid for so many more blocks at most.
      until: BigInt(blockHeight ?? slot) + VALID_BLOCKS,
      memo: paymentMemo(memo),
      ...moved,
      arrived: null,
      block,
      fee: BigInt(transaction.meta.fee),
      revert: transaction.meta.err === null ? null : 'The transaction failed.',
      txData: txDataOf(transaction, { to: { address: moved.to }, money: moved.money }),
    }
  })
}

/** Amount that a sweep brought to the depository; one currency of them where it brought several. */
const sweptBy = (depository: string, transaction: RpcTransaction): Pick<SentTransaction, 'to' | 'money'> => {
  const { meta } = transaction
  const lamports = lamportsGained(transaction, meta, depository)
  const tokens = meta.postTokenBalances.flatMap(({ mint: currency }) => {
    const amount = tokensGained(meta, depository, currency)
    return amount > 0n ? [{ currency, amount }] : []
  })
  const [first = { currency: NATIVE, amount: larger(lamports, 0n) }] = tokens
  return { to: depository, money: first }
}

/** The account that gained the money the lane lost, or the lane itself for a withdrawal. */
const movedBy = (
  account: string,
  { purpose }: PayoutMemo,
  transaction: RpcTransaction,
): Pick<SentTransaction, 'to' | 'money'> => {
  const { meta } = transaction
  for (const { owner, mint } of meta.postTokenBalances) {
    if (owner === undefined || (owner === account) !== (purpose === 'withdraw')) continue
    const amount = tokensGained(meta, owner, mint)
    if (amount > 0n) return { to: owner, money: { currency: mint, amount } }
  }
  for (const key of transaction.transaction.message.accountKeys) {
    if ((key === account) !== (purpose === 'withdraw')) continue
    const amount = lamportsGained(transaction, meta, key)
    if (amount > 0n) return { to: key, money: { currency: NATIVE, amount } }
  }
  return { to: account, money: { currency: NATIVE, amount: 0n } }
}
