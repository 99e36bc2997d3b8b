import {
  agreeOnPayout,
  type JsonRpcEndpoint,
  type PayoutVerdict,
  type PayoutVerdictDeps,
  resultOf,
  ServiceError,
  smaller,
} from '@causeway/core'
import type { SvmSettings } from '../options.js'
import { usedRequestAddress } from '../program/programAddresses.js'
import { clockCall, readClock } from '../rpc/clock.js'
import {
  blockCall,
  type RpcAccount,
  type RpcBlock,
  type RpcContext,
  type RpcEpochInfo,
  type RpcSignatureStatus,
} from '../rpc/wire.js'
import { statusCalls } from './attemptStates.js'
import { readSequenceGuard } from './sequenceGuard.js'

export interface FinalityDeps extends PayoutVerdictDeps {
  readonly settings: Pick<SvmSettings, 'depositoryProgram'>
}

/** Block heights for which a blockhash is valid: a transaction is in one of so many blocks, or in none. */
const VALID_BLOCKS = 150n

/** Whether a generation can still land, by as many providers as `agreeOnPayout` asks for. */
export const judge = (
  guards: readonly string[],
  txIds: readonly string[],
  agreeing: number,
  deps: FinalityDeps,
): Promise<PayoutVerdict> =>
  agreeOnPayout({ txIds, agreeing }, (endpoint) => judgeOn(endpoint, guards, txIds, deps), deps)

/**
 * The finalized height is read first: a transaction that is in any block up to there is known to the node by the time
 * its status is asked for, so what is unknown then, and valid no longer, never lands.
 */
const judgeOn = async (
  endpoint: JsonRpcEndpoint,
  guards: readonly string[],
  txIds: readonly string[],
  deps: FinalityDeps,
): Promise<PayoutVerdict> => {
  const [epoch, clock] = await endpoint.batch([
    { method: 'getEpochInfo', params: [{ commitment: 'finalized' }] },
    clockCall('finalized'),
  ])
  const final = resultOf<RpcEpochInfo>(epoch, 'getEpochInfo')
  const statuses = await readStatuses(endpoint, txIds, final.absoluteSlot)
  if (statuses.some((status) => status !== null && status.err === null)) return 'landed'
  const requests = await judgeRequests(endpoint, guards, resultOf(clock, 'getAccountInfo'), deps)
  if (requests !== 'dead') return requests
  const failed = statuses.filter((status) => status?.confirmationStatus === 'finalized').length
  // A signature that a final block holds, failed, cannot run again.
  if (txIds.length > 0 && failed === txIds.length) return 'dead'
  if (statuses.some((status) => status !== null && status.confirmationStatus !== 'finalized')) return 'alive'
  return (await haveExpired(endpoint, guards, BigInt(final.blockHeight))) ? 'dead' : 'alive'
}

/** Of a node that has come at least as far as the finalized slot it showed. */
const readStatuses = async (
  endpoint: JsonRpcEndpoint,
  txIds: readonly string[],
  slot: number,
): Promise<readonly (RpcSignatureStatus | null)[]> => {
  if (txIds.length === 0) return []
  const outcomes = await endpoint.batch(statusCalls(txIds))
  return outcomes.flatMap((outcome) => {
    const answer = resultOf<RpcContext<readonly (RpcSignatureStatus | null)[]>>(outcome, 'getSignatureStatuses')
    if (answer.context.slot < slot) throw cannotTell()
    return answer.value
  })
}

/** Whether every blockhash is out of date at a final height, and the node still has the blocks that could hold a payment. */
const haveExpired = async (endpoint: JsonRpcEndpoint, guards: readonly string[], height: bigint): Promise<boolean> => {
  const ends = guards.flatMap((guard) => readSequenceGuard(guard)?.lastValidBlockHeight ?? [])
  if (ends.length === 0 || ends.some((end) => height <= end)) return false
  const earliest = ends.reduce(smaller) - VALID_BLOCKS
  if (!(await remembers(endpoint, earliest))) throw cannotTell()
  return true
}

/** A node that has thrown old blocks away denies what they held. */
const remembers = async (endpoint: JsonRpcEndpoint, height: bigint): Promise<boolean> => {
  const [first] = await endpoint.batch([{ method: 'getFirstAvailableBlock', params: [] }])
  const slot = BigInt(resultOf<number>(first, 'getFirstAvailableBlock'))
  // There are never more blocks than slots.
  if (slot <= height) return true
  const [outcome] = await endpoint.batch([blockCall(slot, 'finalized')])
  const block = outcome?.ok ? (outcome.result as RpcBlock | null) : null
  return block !== null && block.blockHeight !== null && BigInt(block.blockHeight) <= height
}

/** Requests of the allocator stay usable by anybody until used or expired. */
const judgeRequests = async (
  endpoint: JsonRpcEndpoint,
  guards: readonly string[],
  clock: RpcContext<RpcAccount | null>,
  { settings }: FinalityDeps,
): Promise<PayoutVerdict> => {
  const program = settings.depositoryProgram
  for (const guard of guards) {
    const [, hash, expiration] = guard.match(/^request:0x([0-9a-f]{64}):([0-9]+)$/) ?? []
    if (program === null || hash === undefined || expiration === undefined) continue
    const address = usedRequestAddress(program, Buffer.from(hash, 'hex'))
    const options = { commitment: 'confirmed', encoding: 'base64' }
    const [outcome] = await endpoint.batch([{ method: 'getAccountInfo', params: [address, options] }])
    const { value } = resultOf<RpcContext<RpcAccount | null>>(outcome, 'getAccountInfo')
    if (value?.owner === program) return 'landed'
    const now = readClock(clock)
    if (now === null || now < Number(expiration)) return 'alive'
  }
  return 'dead'
}

const cannotTell = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain cannot tell what became of a payment.')
