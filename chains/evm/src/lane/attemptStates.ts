import { eventTopics } from '@causeway/contracts-abi'
import type { AttemptState, Payout } from '@causeway/core'
import { type JsonRpcClient, resultOf } from '@causeway/core'
import { decodeAbiParameters, parseAbiParameters } from 'viem/utils'
import { type Contracts, ZERO_ADDRESS } from '../contracts/addresses.js'
import type { Head, HeadSource } from '../head/headSource.js'
import { revertReason } from '../payout/revertReason.js'
import { feeOf, quantity, type RpcBlock, type RpcReceipt, type RpcTransaction, txDataOf } from '../rpc/wire.js'
import { addressTopic } from '../watch/recognise.js'

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

const NATIVE_TRANSFER = parseAbiParameters('address to, uint256 amount')
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
    } else {
      states.push(await minedState(query.payout, receipt, block, tip, txData, deps))
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
  const wanted = queries.filter(({ txId }, at) => (receipts[at] ?? null) === null || !sent.has(txId))
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
  receipt: RpcReceipt,
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
    fee: feeOf(receipt),
    txData,
  }
  if (BigInt(receipt.status) === 1n) {
    return { ...shared, status: 'success', paid: paidBy(receipt, payout, txData, deps.contracts), revert: null }
  }
  return { ...shared, status: 'reverted', paid: 0n, revert: await revertText(receipt, txData, deps) }
}

/** What reached the recipient in the payout's currency, from the logs; for plain native payments the value. */
export const paidBy = (
  receipt: RpcReceipt,
  payout: Payout,
  txData: AttemptState['txData'],
  contracts: Contracts,
): bigint | null => {
  const { currency, amount } = payout.money
  const to = payout.to.address.toLowerCase()
  // Calls and swap had the whole amount at their disposal, or the transaction would have reverted.
  if (payout.calls.length > 0 || payout.swap !== undefined) return amount
  if (currency !== ZERO_ADDRESS) {
    const arrivals = receipt.logs.filter(
      (log) =>
        log.address.toLowerCase() === currency &&
        log.topics[0] === eventTopics.transfer &&
        log.topics[2] === addressTopic(to),
    )
    return arrivals.reduce((sum, log) => sum + BigInt(log.data), 0n)
  }
  const target = receipt.to?.toLowerCase()
  if (payout.purpose === 'withdraw') return target === contracts.depository ? amount : null
  if (target === contracts.fillRouter) return routedTo(receipt, to, contracts)
  if (target !== to) return 0n
  return txData === null ? null : BigInt(txData.value)
}

const routedTo = (receipt: RpcReceipt, to: string, { fillRouter }: Contracts): bigint => {
  let sum = 0n
  for (const log of receipt.logs) {
    if (log.address.toLowerCase() !== fillRouter || log.topics[0] !== eventTopics.solverNativeTransfer) continue
    const [paidTo, amount] = decodeAbiParameters(NATIVE_TRANSFER, log.data)
    if (paidTo.toLowerCase() === to) sum += amount
  }
  return sum
}

/** Best effort: the same call on the state before the block. */
const revertText = async (
  receipt: RpcReceipt,
  txData: AttemptState['txData'],
  { rpc }: StatesDeps,
): Promise<string | null> => {
  if (txData === null) return null
  const call = { ...txData, value: quantity(BigInt(txData.value)), gas: quantity(BigInt(receipt.gasUsed) * 2n) }
  const before = quantity(BigInt(receipt.blockNumber) - 1n)
  try {
    const [outcome] = await rpc.batch([{ method: 'eth_call', params: [call, before] }])
    if (outcome === undefined || outcome.ok) return null
    return revertReason(outcome.error).text
  } catch {
    return null
  }
}

/** Receipts only, for judging what can still land. */
export const readReceipts = (outcomes: readonly Parameters<typeof resultOf>[0][]): readonly (RpcReceipt | null)[] =>
  outcomes.map((outcome) => resultOf<RpcReceipt | null>(outcome, 'eth_getTransactionReceipt'))
