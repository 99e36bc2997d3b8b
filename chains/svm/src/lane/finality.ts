import { type Hex, ServiceError, smaller } from '@causeway/core'
import type { PayoutVerdict } from '@causeway/core/chain'
import {
  agreeOnPayout,
  type JsonRpcEndpoint,
  judgeRequests,
  type PayoutVerdictDeps,
  resultOf,
} from '@causeway/core/chain-kit'
import { usedRequestAddress } from '../deposit/program/programAddresses.js'
import type { SvmSettings } from '../options.js'
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
import { VALID_BLOCKS } from './laneValidity.js'
import { readSequenceGuard } from './sequenceGuard.js'

export interface FinalityDeps extends PayoutVerdictDeps {
  readonly settings: Pick<SvmSettings, 'depositoryProgram'>
}

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
  const program = deps.settings.depositoryProgram
  if (program !== null) {
    const now = readClock(resultOf(clock, 'getAccountInfo'))
    const requests = await judgeRequests(guards, {
      isUsed: (hash) => isUsed(endpoint, hash, program),
      hasExpired: (expiration) => now !== null && now >= expiration,
    })
    if (requests !== 'dead') return requests
  }
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

/** Whether the depository program has run a request; what it never knew, it never ran. */
const isUsed = async (endpoint: JsonRpcEndpoint, hash: Hex, program: string): Promise<boolean> => {
  const address = usedRequestAddress(program, Buffer.from(hash.slice(2), 'hex'))
  const options = { commitment: 'confirmed', encoding: 'base64' }
  const [outcome] = await endpoint.batch([{ method: 'getAccountInfo', params: [address, options] }])
  return resultOf<RpcContext<RpcAccount | null>>(outcome, 'getAccountInfo').value?.owner === program
}

const cannotTell = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain cannot tell what became of a payment.')
