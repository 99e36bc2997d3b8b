import { depositoryAbi } from '@causeway/contracts-abi'
import { type ChainConfig, type Hex, ServiceError } from '@causeway/core'
import { encodeFunctionData } from 'viem'
import type { Contracts } from '../contracts/addresses.js'
import { type Head, headOf } from '../head/headSource.js'
import { type Endpoint, resultOf } from '../rpc/endpoint.js'
import type { RpcClient } from '../rpc/rpcClient.js'
import { quantity, type RpcBlock } from '../rpc/wire.js'
import { readReceipts } from './attemptStates.js'
import { readNonceGuard } from './laneTransaction.js'

export type Verdict = 'dead' | 'alive' | 'landed'

export interface FinalityDeps {
  readonly rpc: RpcClient
  readonly contracts: Contracts
  readonly confirmations: ChainConfig['confirmations']
}

const MAX_STEPS = 8

/**
 * Whether a generation can still land, judged at the newest final block (chains.md, Finality values seen: depth and age
 * both hold). With several providers two must say the same, since `dead` lets the money be sent again.
 */
export const judge = async (
  guards: readonly string[],
  txIds: readonly string[],
  deps: FinalityDeps,
): Promise<Verdict> => {
  const providers = deps.rpc.providers
  const needed = Math.min(2, providers.length)
  const answers = await Promise.allSettled(providers.map((endpoint) => judgeOn(endpoint, guards, txIds, deps)))
  const verdicts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  if (verdicts.length < needed) {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'Too few nodes of this chain answer. Try again later.')
  }
  const [first] = verdicts
  return first !== undefined && verdicts.every((verdict) => verdict === first) ? first : 'alive'
}

const judgeOn = async (
  endpoint: Endpoint,
  guards: readonly string[],
  txIds: readonly string[],
  deps: FinalityDeps,
): Promise<Verdict> => {
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

/** Newest block deep and old enough to stay; null while there is none. */
const finalBlock = async (
  endpoint: Endpoint,
  tip: Head,
  { settle, settleSeconds }: ChainConfig['confirmations'],
): Promise<Head | null> => {
  let height = tip.height - BigInt(settle)
  for (let step = 0; step < MAX_STEPS && height >= 0n; step += 1) {
    const params = [quantity(height), false]
    const [outcome] = await endpoint.batch([{ method: 'eth_getBlockByNumber', params }])
    const block = resultOf<RpcBlock | null>(outcome, 'eth_getBlockByNumber')
    if (block === null) return null
    const head = headOf(block)
    const missing = settleSeconds - (tip.time - head.time)
    if (missing <= 0) return head
    const blocks = Number(tip.height - height)
    const perBlock = Math.max((tip.time - head.time) / Math.max(blocks, 1), 0.05)
    height -= BigInt(Math.ceil(missing / perBlock))
  }
  return null
}

/** Requests of the allocator stay usable by anybody until used or expired. */
const judgeRequests = async (
  endpoint: Endpoint,
  guards: readonly string[],
  final: Head,
  { contracts }: FinalityDeps,
): Promise<Verdict> => {
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

const noncesSpent = async (endpoint: Endpoint, guards: readonly string[], final: Head): Promise<boolean> => {
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
