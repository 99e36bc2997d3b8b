import { larger, ServiceError } from '@causeway/core'
import type { LanePlace, LaneReading, OutgoingTransaction } from '@causeway/core/chain'
import {
  type JsonRpcClient,
  type JsonRpcEndpoint,
  type ProviderReading,
  type RpcCall,
  readAtProviders,
  resultOf,
} from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { type PayoutMemo, readPayoutMemo } from '../payout/memo/memoText.js'
import type { HeadSource } from '../rpc/head/headSource.js'
import { blockCall, type RpcBlock, type RpcSignature, type RpcTransaction, transactionCall } from '../rpc/wire.js'
import { VALID_BLOCKS } from './laneValidity.js'
import { sequenceGuard, sequenceOf } from './sequenceGuard.js'
import { lamportsGained, memosOf, tokensGained } from './transactionFacts.js'

/** Slots before the journal's last block in which its transactions may still have landed. */
const MARGIN_SLOTS = 1000n
const TRANSACTIONS_BATCH = 50
/** Pages that are looked through for where the numbers of a lane that was never used here go on. */
const MAX_FIRST_PAGES = 1000

export interface LaneReaderDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly depository: string
  readonly signaturePage: number
}

/** One provider, and how it is asked. */
interface AskedProvider extends Pick<LaneReaderDeps, 'signaturePage'> {
  readonly rpc: JsonRpcEndpoint
}

interface Found {
  readonly signature: string
  readonly memo: PayoutMemo
  readonly transaction: RpcTransaction
}

/**
 * Compares the journal's next sequence number with the memos of the lane's transactions on the chain, as every trusted provider lists
 * them: what one leaves out another one shows. Two must show all where two are configured. First use: the numbers go on after the
 * highest of the newest page that has one.
 * @throws ServiceError SERVICE_UNAVAILABLE when too few answer
 */
export const readLane = async (
  address: string,
  stored: LanePlace | null,
  deps: LaneReaderDeps,
): Promise<LaneReading> => {
  const reading = await readAtProviders(
    deps.rpc,
    (rpc) => readAtOne(address, stored, { ...deps, rpc }),
    ({ signature }: Found) => ({ id: signature, included: true }),
  )
  const found = [...reading.found].sort((left, right) => left.memo.sequence - right.memo.sequence)
  if (stored === null) return { position: { sequence: nextOf(found, 0) }, unknown: [], complete: true }
  const known = sequenceOf(stored.position)
  // A journal that begins now: what is older than it has used numbers too.
  const older = known > 0 ? known : sequenceOf((await readLane(address, null, deps)).position)
  return {
    position: { sequence: nextOf(found, older) },
    unknown: await describe(address, found, deps),
    complete: reading.complete,
  }
}

const readAtOne = async (
  address: string,
  stored: LanePlace | null,
  asked: AskedProvider,
): Promise<ProviderReading<Found>> => {
  if (stored === null) return readNewest(address, asked)
  return readSince(address, stored.sinceHeight - MARGIN_SLOTS, sequenceOf(stored.position), asked)
}

const nextOf = (found: readonly Found[], least: number): number =>
  found.reduce((next, { memo }) => Math.max(next, memo.sequence + 1), least)

const resultsOf = async (rpc: JsonRpcEndpoint, calls: readonly RpcCall[]): Promise<readonly unknown[]> => {
  const outcomes = await rpc.batch(calls)
  return calls.map(({ method }, at) => resultOf<unknown>(outcomes[at], method))
}

/** A page of signatures, newest first, older than `before`. */
const readPage = async (
  address: string,
  before: string | null,
  { rpc, signaturePage }: AskedProvider,
): Promise<readonly ListedSignature[]> => {
  const options = { limit: signaturePage, commitment: 'confirmed', ...(before === null ? {} : { before }) }
  const [page] = await resultsOf(rpc, [{ method: 'getSignaturesForAddress', params: [address, options] }])
  return page as readonly ListedSignature[]
}

/** Nodes list the memos too, each behind its length in brackets. */
interface ListedSignature extends RpcSignature {
  readonly memo?: string | null
}

/** Back to the newest of the lane's own transactions, beneath whatever strangers have put on it. */
const readNewest = async (address: string, asked: AskedProvider): Promise<ProviderReading<Found>> => {
  let before: string | null = null
  for (let pages = 0; pages < MAX_FIRST_PAGES; pages += 1) {
    const page: readonly ListedSignature[] = await readPage(address, before, asked)
    const found = await readMemos(address, page, 0, asked)
    const last = page.at(-1)
    if (found.length > 0 || last === undefined || page.length < asked.signaturePage) return { found, complete: true }
    before = last.signature
  }
  return { found: [], complete: true }
}

/**
 * Page by page, and of a page nothing is kept but the lane's own transactions: whoever names the address in as many transactions as
 * he likes makes the reading longer, and neither larger nor incomplete.
 */
const readSince = async (
  address: string,
  since: bigint,
  least: number,
  asked: AskedProvider,
): Promise<ProviderReading<Found>> => {
  const found: Found[] = []
  for (let before: string | null = null; ; ) {
    const page: readonly ListedSignature[] = await readPage(address, before, asked)
    const young = page.filter(({ slot }) => BigInt(slot) >= since)
    found.push(...(await readMemos(address, young, least, asked)))
    const last = page.at(-1)
    if (last === undefined || young.length < page.length) {
      return { found, complete: last !== undefined || (await reaches(since, asked)) }
    }
    if (last.signature === before)
      throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain lists signatures without end.')
    before = last.signature
  }
}

/** Whether a node whose list has ended still has the blocks back to a slot: else it may have forgotten signatures. */
const reaches = async (slot: bigint, { rpc }: AskedProvider): Promise<boolean> => {
  const [first] = await resultsOf(rpc, [{ method: 'getFirstAvailableBlock', params: [] }])
  return BigInt(first as number) <= (slot > 0n ? slot : 0n)
}

/** Transactions that the address itself paid for and whose memo carries a number from `least` on; oldest first. */
const readMemos = async (
  address: string,
  signatures: readonly ListedSignature[],
  least: number,
  { rpc }: AskedProvider,
): Promise<readonly Found[]> => {
  const wanted = signatures.filter(({ memo }) => mayBeOwn(memo, least)).map(({ signature }) => signature)
  const found: Found[] = []
  for (let at = 0; at < wanted.length; at += TRANSACTIONS_BATCH) {
    const part = wanted.slice(at, at + TRANSACTIONS_BATCH)
    const answers = await resultsOf(
      rpc,
      part.map((signature) => transactionCall(signature)),
    )
    for (const [place, answer] of answers.entries()) {
      const transaction = answer as RpcTransaction | null
      const signature = part[place]
      if (transaction === null || signature === undefined) throw new Error('A listed transaction cannot be read yet.')
      // Anybody can write a memo that looks like ours into a transaction that names the address.
      if (transaction.transaction.message.accountKeys[0] !== address) continue
      const [memo] = memosOf(transaction).flatMap((text) => readPayoutMemo(text) ?? [])
      if (memo !== undefined && memo.sequence >= least) found.push({ signature, memo, transaction })
    }
  }
  return found
}

/** False where the list says already that it is no payment of a lane, or one that the journal has. Some nodes list no memos. */
const mayBeOwn = (memo: string | null | undefined, least: number): boolean => {
  if (memo === undefined) return true
  return (memo ?? '').split(/; (?=\[\d+\] )/).some((text) => {
    const said = readPayoutMemo(text.replace(/^\[\d+\] /, ''))
    return said !== null && said.sequence >= least
  })
}

const describe = async (
  address: string,
  found: readonly Found[],
  { rpc, heads, depository }: LaneReaderDeps,
): Promise<OutgoingTransaction[]> => {
  if (found.length === 0) return []
  const slots = [...new Set(found.map(({ transaction }) => BigInt(transaction.slot)))]
  const [blocks, answers] = await Promise.all([heads.blockOf(slots), rpc.batch(slots.map((slot) => blockCall(slot)))])
  const heights = new Map(
    answers.flatMap((answer, at) => {
      const height = answer.ok ? (answer.result as RpcBlock | null)?.blockHeight : null
      const slot = slots[at]
      return slot === undefined ? [] : [[slot, BigInt(height ?? slot)] as const]
    }),
  )
  return found.map(({ signature, memo, transaction }) => {
    const slot = BigInt(transaction.slot)
    // Its blockhash was valid in its block, so it was valid for so many more blocks at most.
    const lastValidBlockHeight = (heights.get(slot) ?? slot) + VALID_BLOCKS
    return {
      tx: { id: signature },
      guards: [sequenceGuard({ address, sequence: memo.sequence, lastValidBlockHeight })],
      orderId: memo.orderId,
      ...(memo.purpose === 'sweep' ? sweptBy(depository, transaction) : movedBy(address, memo, transaction)),
      purpose: memo.purpose,
      status: transaction.meta.err === null ? 'success' : 'reverted',
      fee: BigInt(transaction.meta.fee),
      block: blocks.get(slot) ?? null,
    }
  })
}

/** What a sweep brought to the depository; where it brought several currencies, one of them. */
const sweptBy = (depository: string, transaction: RpcTransaction): Pick<OutgoingTransaction, 'to' | 'money'> => {
  const { meta } = transaction
  const lamports = lamportsGained(transaction, meta, depository)
  const tokens = meta.postTokenBalances.flatMap(({ mint: currency }) => {
    const amount = tokensGained(meta, depository, currency)
    return amount > 0n ? [{ currency, amount }] : []
  })
  const [first = { currency: NATIVE, amount: larger(lamports, 0n) }] = tokens
  return { to: depository, money: first }
}

/** Who gained what the lane lost, or what it gained itself from a withdrawal. */
const movedBy = (
  address: string,
  { purpose }: PayoutMemo,
  transaction: RpcTransaction,
): Pick<OutgoingTransaction, 'to' | 'money'> => {
  const { meta } = transaction
  const nothing = { to: address, money: { currency: NATIVE, amount: 0n } }
  const { accountKeys } = transaction.transaction.message
  for (const { owner, mint } of meta.postTokenBalances) {
    if (owner === undefined || (owner === address) !== (purpose === 'withdraw')) continue
    const amount = tokensGained(meta, owner, mint)
    if (amount > 0n) return { to: owner, money: { currency: mint, amount } }
  }
  for (const key of accountKeys) {
    if ((key === address) !== (purpose === 'withdraw')) continue
    const amount = lamportsGained(transaction, meta, key)
    if (amount > 0n) return { to: key, money: { currency: NATIVE, amount } }
  }
  return nothing
}
