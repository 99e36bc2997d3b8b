import { depositoryAbi, permitRouterAbi } from '@causeway/contracts-abi'
import { type Hex, ServiceError } from '@causeway/core'
import type { ChainConfig, LaneAdapter, Payout, PayoutVerdict } from '@causeway/core/chain'
import {
  agreeOnPayout,
  findFinalBlock,
  type JsonRpcEndpoint,
  judgeRequests,
  type PayoutVerdictDeps,
  resultOf,
} from '@causeway/core/chain-kit'
import { encodeFunctionData } from 'viem/utils'
import type { Contracts } from '../address/addresses.js'
import { isMined } from '../deposit/depositLookup.js'
import { missing } from '../deposit/readDeposits.js'
import { failedWithin } from '../payout/failure/userOperations.js'
import { wordOf } from '../rpc/answers.js'
import { type Head, headOf } from '../rpc/headSource.js'
import { hasBlock } from '../rpc/prunedBlocks.js'
import { hasFailed, hasSucceeded } from '../rpc/receipts.js'
import { quantity, type RpcBlock, type RpcReceipt, type RpcTransaction } from '../rpc/wire.js'
import { readReceipts } from './attemptStates.js'
import { readNonceGuard } from './laneTransaction.js'
import { gainedUnlogged, paidBy } from './paidAmount.js'
import { oldestOf } from './signedAbove.js'

export interface FinalityDeps extends PayoutVerdictDeps {
  readonly contracts: Contracts
  readonly confirmations: ChainConfig['confirmations']
}

/**
 * Whether a generation can still land, judged at the newest final block (chains.md, Finality values seen: depth and age
 * both hold), by as many providers as `agreeOnPayout` asks for.
 */
export const judge = (
  guards: readonly string[],
  txIds: readonly string[],
  { agreeing, payout, locators }: VerdictOptions,
  deps: FinalityDeps,
): Promise<PayoutVerdict> => {
  const since = oldestOf(txIds, locators)
  return agreeOnPayout(
    { txIds, agreeing },
    (endpoint) => judgeOn(endpoint, { guards, txIds, payout, since }, deps),
    deps,
  )
}

type VerdictOptions = NonNullable<Parameters<LaneAdapter['payoutVerdict']>[2]>

interface Claim {
  readonly guards: readonly string[]
  readonly txIds: readonly string[]
  readonly payout: Payout | undefined
  /** A height below all blocks that can hold its transactions; null where none is known. */
  readonly since: bigint | null
}

const judgeOn = async (
  endpoint: JsonRpcEndpoint,
  { guards, txIds, payout, since }: Claim,
  deps: FinalityDeps,
): Promise<PayoutVerdict> => {
  const [latest, ...outcomes] = await endpoint.batch([
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ...txIds.map((txId) => ({ method: 'eth_getTransactionReceipt', params: [txId] })),
    ...txIds.map((txId) => ({ method: 'eth_getTransactionByHash', params: [txId] })),
  ])
  const tip = headOf(resultOf<RpcBlock>(latest, 'eth_getBlockByNumber'))
  const shown = readReceipts(outcomes.slice(0, txIds.length))
  const transactions = outcomes
    .slice(txIds.length)
    .map((outcome) => resultOf<RpcTransaction | null>(outcome, 'eth_getTransactionByHash'))
  // A missing receipt of a transaction that is in a block is no proof that it did not pay.
  if (shown.some((receipt, at) => receipt === null && isMined(transactions[at] ?? null))) missing()
  const receipts = shown.filter((receipt) => receipt !== null)
  for (const receipt of receipts) if (await hasPaid(endpoint, receipt, payout, deps)) return 'landed'
  // A node that does not say how a transaction ended leaves it open.
  if (receipts.some((receipt) => !hasSucceeded(receipt) && !hasFailed(receipt))) return 'alive'
  const final = await findFinalBlock(tip, deps.confirmations, (height) => headAt(endpoint, height))
  if (final === null || receipts.some((receipt) => BigInt(receipt.blockNumber) > final.height)) return 'alive'
  const requests = await judgeRequests(guards, {
    isUsed: (hash) => isUsed(endpoint, hash, deps),
    hasExpired: (expiration) => final.time > expiration,
  })
  if (requests !== 'dead') return requests
  if (!(await noncesSpent(endpoint, guards, final))) return 'alive'
  // Spent by what this node does not show: by something else, or by a payment in a block that it dropped.
  if (receipts.length === 0 && since !== null && !(await hasBlock(endpoint, since))) throw cannotTell()
  return 'dead'
}

const cannotTell = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain dropped blocks in which a payment may be.')

/** Success pays, unless it is known what was to be paid or run, and this node shows that nothing arrived (faults.md F123) or that it failed within. */
const hasPaid = async (
  endpoint: JsonRpcEndpoint,
  receipt: RpcReceipt,
  payout: Payout | undefined,
  { contracts }: FinalityDeps,
): Promise<boolean> => {
  if (!hasSucceeded(receipt)) return false
  if (payout !== undefined && failedWithin(payout, receipt.logs) !== null) return false
  if (payout === undefined || paidBy(receipt, payout, null, contracts) !== 0n) return true
  return gainedUnlogged(endpoint, receipt, payout)
}

const headAt = async (endpoint: JsonRpcEndpoint, height: bigint): Promise<Head> => {
  const [outcome] = await endpoint.batch([{ method: 'eth_getBlockByNumber', params: [quantity(height), false] }])
  const block = resultOf<RpcBlock | null>(outcome, 'eth_getBlockByNumber')
  if (block === null) throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain lacks a block. Try again later.')
  return headOf(block)
}

/** Whether the depository has run a request, or the permit router brought in what was signed for: their keys never meet. */
const isUsed = async (endpoint: JsonRpcEndpoint, structHash: Hex, { contracts }: FinalityDeps): Promise<boolean> => {
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: 'callRequests', args: [structHash] })
  const calls = [{ to: contracts.depository, data }]
  if (contracts.permits !== null) {
    const asked = encodeFunctionData({ abi: permitRouterAbi, functionName: 'deposited', args: [structHash] })
    calls.push({ to: contracts.permits.router, data: asked })
  }
  const outcomes = await endpoint.batch(calls.map((call) => ({ method: 'eth_call', params: [call, 'latest'] })))
  return calls.some((_, at) => wordOf(resultOf(outcomes[at], 'eth_call')) === 1n)
}

const noncesSpent = async (endpoint: JsonRpcEndpoint, guards: readonly string[], final: Head): Promise<boolean> => {
  const nonces = guards.flatMap((guard) => readNonceGuard(guard) ?? [])
  if (nonces.length === 0) return false
  const outcomes = await endpoint.batch(
    nonces.map(({ address }) => ({
      method: 'eth_getTransactionCount',
      params: [address, quantity(final.height)],
    })),
  )
  return nonces.every(({ nonce }, at) => BigInt(resultOf<string>(outcomes[at], 'eth_getTransactionCount')) > nonce)
}
