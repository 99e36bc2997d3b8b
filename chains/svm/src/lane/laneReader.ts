import type { Json, JsonRpcClient, LaneReading, OutgoingTransaction } from '@causeway/core'
import { NATIVE } from '../address/addresses.js'
import type { HeadSource } from '../head/headSource.js'
import { type PayoutMemo, readPayoutMemo } from '../memo/memoText.js'
import { blockCall, type RpcBlock, type RpcSignature, type RpcTransaction, transactionCall } from '../rpc/wire.js'
import { sequenceGuard, sequenceOf } from './sequenceGuard.js'
import { lamportsGained, memosOf, tokensGained } from './transactionFacts.js'

/** Slots before the journal's last block in which its transactions may still have landed. */
const MARGIN_SLOTS = 1000n
/** Signatures looked through before the operator must decide. */
const MAX_SIGNATURES = 50_000
const TRANSACTIONS_BATCH = 50
const VALID_BLOCKS = 150n

export interface LaneReaderDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly signaturePage: number
}

interface Found {
  readonly signature: string
  readonly memo: PayoutMemo
  readonly transaction: RpcTransaction
}

/**
 * Compares the journal's next sequence number with the memos of the lane's transactions on the chain. First use: the numbers
 * go on after the highest of the newest page.
 */
export const readLane = async (
  address: string,
  stored: { readonly position: Json; readonly sinceHeight: bigint } | null,
  deps: LaneReaderDeps,
): Promise<LaneReading> => {
  if (stored === null) {
    const page = await readPage(address, null, deps)
    const found = await readMemos(address, page, 0, deps)
    return { position: { sequence: nextOf(found, 0) }, unknown: [], complete: true }
  }
  const expected = sequenceOf(stored.position)
  const { signatures, complete } = await readSince(address, stored.sinceHeight - MARGIN_SLOTS, deps)
  const found = await readMemos(address, signatures, expected, deps)
  const unknown = await describe(address, found, deps)
  return { position: { sequence: nextOf(found, expected) }, unknown, complete }
}

const nextOf = (found: readonly Found[], least: number): number =>
  found.reduce((next, { memo }) => Math.max(next, memo.sequence + 1), least)

/** A page of signatures, newest first, older than `before`. */
const readPage = (
  address: string,
  before: string | null,
  { rpc, signaturePage }: LaneReaderDeps,
): Promise<readonly ListedSignature[]> =>
  rpc.call('getSignaturesForAddress', [
    address,
    { limit: signaturePage, commitment: 'confirmed', ...(before === null ? {} : { before }) },
  ])

/** Nodes list the memos too, each behind its length in brackets. */
interface ListedSignature extends RpcSignature {
  readonly memo?: string | null
}

const readSince = async (
  address: string,
  since: bigint,
  deps: LaneReaderDeps,
): Promise<{ readonly signatures: readonly ListedSignature[]; readonly complete: boolean }> => {
  const signatures: ListedSignature[] = []
  let before: string | null = null
  while (signatures.length < MAX_SIGNATURES) {
    const page = await readPage(address, before, deps)
    const young = page.filter(({ slot }) => BigInt(slot) >= since)
    signatures.push(...young)
    const last = page.at(-1)
    if (last === undefined || young.length < page.length) {
      return { signatures, complete: last !== undefined || (await reaches(since, deps)) }
    }
    before = last.signature
  }
  return { signatures, complete: false }
}

/** Whether a node whose list has ended still has the blocks back to a slot: else it may have forgotten signatures. */
const reaches = async (slot: bigint, { rpc }: LaneReaderDeps): Promise<boolean> =>
  BigInt(await rpc.call<number>('getFirstAvailableBlock', [])) <= (slot > 0n ? slot : 0n)

/** Transactions that the address itself paid for and whose memo carries a number from `least` on; oldest first. */
const readMemos = async (
  address: string,
  signatures: readonly ListedSignature[],
  least: number,
  deps: LaneReaderDeps,
): Promise<Found[]> => {
  const wanted = signatures.filter(({ memo }) => !isOlder(memo, least)).map(({ signature }) => signature)
  const found: Found[] = []
  for (let at = 0; at < wanted.length; at += TRANSACTIONS_BATCH) {
    const part = wanted.slice(at, at + TRANSACTIONS_BATCH)
    const answers = await deps.rpc.results(part.map((signature) => transactionCall(signature)))
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
  return found.sort((left, right) => left.memo.sequence - right.memo.sequence)
}

/** The list says already that this one is in the journal. */
const isOlder = (memo: string | null | undefined, least: number): boolean => {
  const said = readPayoutMemo((memo ?? '').replace(/^\[\d+\] /, ''))
  return said !== null && said.sequence < least
}

const describe = async (
  address: string,
  found: readonly Found[],
  { rpc, heads }: LaneReaderDeps,
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
      ...movedBy(address, memo, transaction),
      purpose: memo.purpose,
      status: transaction.meta?.err === null ? 'success' : 'reverted',
      block: blocks.get(slot) ?? null,
    }
  })
}

/** Who gained what the lane lost, or what it gained itself from a withdrawal. */
const movedBy = (
  address: string,
  { purpose }: PayoutMemo,
  transaction: RpcTransaction,
): Pick<OutgoingTransaction, 'to' | 'money'> => {
  const { meta } = transaction
  const nothing = { to: address, money: { currency: NATIVE, amount: 0n } }
  if (meta === null) return nothing
  const { accountKeys } = transaction.transaction.message
  for (const { owner, mint } of meta.postTokenBalances ?? []) {
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
