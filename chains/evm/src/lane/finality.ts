import { depositoryAbi } from '@causeway/contracts-abi'
import {
  agreeOnPayout,
  type ChainConfig,
  type Hex,
  type JsonRpcEndpoint,
  type PayoutVerdict,
  type PayoutVerdictDeps,
  resultOf,
  ServiceError,
} from '@causeway/core'
import { encodeFunctionData } from 'viem/utils'
import type { Contracts } from '../contracts/addresses.js'
import { type Head, headOf } from '../head/headSource.js'
import { quantity, type RpcBlock } from '../rpc/wire.js'
import { readReceipts } from './attemptStates.js'
import { readNonceGuard } from './laneTransaction.js'

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
  agreeing: number,
  deps: FinalityDeps,
): Promise<PayoutVerdict> =>
  agreeOnPayout({ txIds, agreeing }, (endpoint) => judgeOn(endpoint, guards, txIds, deps), deps)

const judgeOn = async (
  endpoint: JsonRpcEndpoint,
  guards: readonly string[],
  txIds: readonly string[],
  deps: FinalityDeps,
): Promise<PayoutVerdict> => {
  const [latest, ...outcomes] = await endpoint.batch([
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ...txIds.map((txId) => ({ method: 'eth_getTransactionReceipt', params: [txId] })),
  ])
  const tip = headOf(resultOf<RpcBlock>(latest, 'eth_getBlockByNumber'))
  const receipts = readReceipts(outcomes).filter((receipt) => receipt !== null)
  if (receipts.some((receipt) => BigInt(receipt.status) === 1n)) return 'landed'
  const final = await finalBlock(endpoint, tip, deps.confirmations)
  if (final === null || receipts.some((receipt) => BigInt(receipt.blockNumber) > final.height)) return 'alive'
  const requests = await judgeRequests(endpoint, guards, final, deps)
  if (requests !== 'dead') return requests
  return (await noncesSpent(endpoint, guards, final)) ? 'dead' : 'alive'
}

/** Newest block deep and old enough to stay; null while there is none. Block times need not be regular. */
const finalBlock = async (
  endpoint: JsonRpcEndpoint,
  tip: Head,
  { settle, settleSeconds }: ChainConfig['confirmations'],
): Promise<Head | null> => {
  const isOld = (head: Head) => tip.time - head.time >= settleSeconds
  let young = tip.height - BigInt(settle)
  if (young < 0n) return null
  let old = await headAt(endpoint, young)
  if (isOld(old)) return old
  for (let stride = 1n; !isOld(old); stride *= 2n) {
    if (old.height === 0n) return null
    young = old.height
    old = await headAt(endpoint, young > stride ? young - stride : 0n)
  }
  while (young - old.height > 1n) {
    const middle = await headAt(endpoint, (young + old.height) / 2n)
    if (isOld(middle)) old = middle
    else young = middle.height
  }
  return old
}

const headAt = async (endpoint: JsonRpcEndpoint, height: bigint): Promise<Head> => {
  const [outcome] = await endpoint.batch([{ method: 'eth_getBlockByNumber', params: [quantity(height), false] }])
  const block = resultOf<RpcBlock | null>(outcome, 'eth_getBlockByNumber')
  if (block === null) throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain lacks a block. Try again later.')
  return headOf(block)
}

/** Requests of the allocator stay usable by anybody until used or expired. */
const judgeRequests = async (
  endpoint: JsonRpcEndpoint,
  guards: readonly string[],
  final: Head,
  { contracts }: FinalityDeps,
): Promise<PayoutVerdict> => {
  for (const guard of guards) {
    const [, structHash, expiration] = guard.match(/^request:(0x[0-9a-f]{64}):([0-9]+)$/) ?? []
    if (structHash === undefined || expiration === undefined) continue
    const args = [structHash as Hex] as const
    const data = encodeFunctionData({ abi: depositoryAbi, functionName: 'callRequests', args })
    const call = { to: contracts.depository, data }
    const [outcome] = await endpoint.batch([{ method: 'eth_call', params: [call, 'latest'] }])
    if (BigInt(resultOf<string>(outcome, 'eth_call')) === 1n) return 'landed'
    if (final.time <= Number(expiration)) return 'alive'
  }
  return 'dead'
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
