import type { AttemptState, Payout } from '@causeway/core/chain'
import { type JsonRpcClient, resultOf } from '@causeway/core/chain-kit'
import type { Contracts } from '../address/addresses.js'
import { failedWithin } from '../payout/failure/userOperations.js'
import { revertText } from '../payout/revertText.js'
import type { Head, HeadSource } from '../rpc/headSource.js'
import { feeOf, hasFailed, hasSucceeded } from '../rpc/receipts.js'
import { type RpcBlock, type RpcReceipt, type RpcTransaction, txDataOf } from '../rpc/wire.js'
import { gainedUnlogged, paidBy, receivedBy, takenBy } from './paidAmount.js'

export interface StatesDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly contracts: Contracts
  /** What this process sent, so that nobody asks the node for it. */
  readonly sent: ReadonlyMap<string, NonNullable<AttemptState['txData']>>
}

interface Query {
  readonly txId: string
  readonly payout: Payout
}

const ABSENT = { block: null, confirmations: 0, fee: 0n, paid: null, revert: null } as const

/** One receipt per attempt in one batch; a second batch only for what is not mined, not ours, or in an unseen block. */
export const readStates = async (queries: readonly Query[], deps: StatesDeps): Promise<readonly AttemptState[]> => {
  const outcomes = await deps.rpc.results(
    queries.map(({ txId }) => ({ method: 'eth_getTransactionReceipt', params: [txId] })),
  )
  const receipts = outcomes as readonly (RpcReceipt | null)[]
  const [transactions, blocks] = await lookUp(queries, receipts, deps)
  const tip = await deps.heads.tip()
  const states: AttemptState[] = []
  for (const [at, query] of queries.entries()) {
    const receipt = receipts[at] ?? null
    const tx = transactions.get(query.txId) ?? null
    const txData = deps.sent.get(query.txId) ?? (tx === null ? null : txDataOf(tx))
    const block = receipt === null ? undefined : blocks.get(receipt.blockHash.toLowerCase())
    if (receipt === null || block === undefined) {
      states.push({ ...ABSENT, status: tx === null ? 'missing' : 'pending', txData })
    } else if (!hasSucceeded(receipt) && !hasFailed(receipt)) {
      // It is in a block, and the node does not say how it ended.
      states.push({ ...ABSENT, status: 'pending', txData })
    } else {
      const found = { receipt, fee: feeOf(receipt, tx) }
      states.push(await minedState(query.payout, found, block, tip, txData, deps))
    }
  }
  return states
}

const lookUp = async (
  queries: readonly Query[],
  receipts: readonly (RpcReceipt | null)[],
  { rpc, heads, sent }: StatesDeps,
): Promise<[Map<string, RpcTransaction>, Map<string, Head>]> => {
  const blocks = new Map<string, Head>()
  const unseen = new Set<string>()
  for (const receipt of receipts) {
    if (receipt === null) continue
    const hash = receipt.blockHash.toLowerCase()
    const head = heads.recent(hash)
    if (head === undefined) unseen.add(hash)
    else blocks.set(hash, head)
  }
  const wanted = queries.filter(({ txId }, at) => !sent.has(txId) || (receipts[at]?.effectiveGasPrice ?? null) === null)
  const hashes = [...unseen]
  if (hashes.length + wanted.length === 0) return [new Map(), blocks]
  const outcomes = await rpc.results([
    ...hashes.map((hash) => ({ method: 'eth_getBlockByHash', params: [hash, false] })),
    ...wanted.map(({ txId }) => ({ method: 'eth_getTransactionByHash', params: [txId] })),
  ])
  for (const block of outcomes.slice(0, hashes.length) as readonly (RpcBlock | null)[]) {
    if (block === null) continue
    const head = heads.remember(block)
    blocks.set(head.hash, head)
  }
  const transactions = new Map<string, RpcTransaction>()
  for (const [at, { txId }] of wanted.entries()) {
    const tx = outcomes[hashes.length + at] as RpcTransaction | null
    if (tx !== null) transactions.set(txId, tx)
  }
  return [transactions, blocks]
}

const minedState = async (
  payout: Payout,
  { receipt, fee }: { readonly receipt: RpcReceipt; readonly fee: bigint },
  block: Head,
  tip: Head,
  txData: AttemptState['txData'],
  deps: StatesDeps,
): Promise<AttemptState> => {
  const { height, hash, time } = block
  const depth = tip.height - height + 1n
  const shared = {
    block: { height, hash, time },
    confirmations: depth < 1n ? 1 : Number(depth),
    fee,
    txData,
  }
  const undone = hasSucceeded(receipt) ? failedWithin(payout, receipt.logs) : null
  if (hasSucceeded(receipt) && undone === null) {
    const paid = await shownPayment(receipt, payout, txData, deps)
    return {
      ...shared,
      status: 'success',
      paid,
      revert: null,
      ...takenBy(receipt, payout),
      ...receivedBy(receipt, payout),
    }
  }
  return {
    ...shared,
    status: 'reverted',
    paid: 0n,
    revert: undone ?? (txData === null ? null : await revertText(receipt, txData, deps.rpc)),
  }
}

/** What the logs show, unless they show nothing and the recipient's balance shows otherwise (faults.md F123). */
const shownPayment = async (
  receipt: RpcReceipt,
  payout: Payout,
  txData: AttemptState['txData'],
  { contracts, rpc }: StatesDeps,
): Promise<bigint | null> => {
  const paid = paidBy(receipt, payout, txData, contracts)
  if (paid !== 0n) return paid
  // A node that cannot tell leaves it to the proof of death, which needs to know.
  return (await gainedUnlogged(rpc, receipt, payout).catch(() => false)) ? null : paid
}

/** Receipts only, for judging what can still land. */
export const readReceipts = (outcomes: readonly Parameters<typeof resultOf>[0][]): readonly (RpcReceipt | null)[] =>
  outcomes.map((outcome) => resultOf<RpcReceipt | null>(outcome, 'eth_getTransactionReceipt'))
