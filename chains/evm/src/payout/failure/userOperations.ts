import type { Hex } from '@causeway/core'
import type { DecodedRevert, Payout } from '@causeway/core/chain'
import { decodeEventLog, parseAbi, toEventSelector } from 'viem/utils'
import type { TracedLog } from './callTrace.js'
import { decodeRevert } from './decodedRevert.js'
import { functionOf } from './knownCalls.js'

/** What an entry point tells of user operations, in its versions 0.6 to 0.9 (ERC-4337). */
const abi = parseAbi([
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  'event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
])
const TOPICS: ReadonlySet<string> = new Set(abi.map((event) => toEventSelector(event)))

/** Whether a payout is a call that runs user operations. */
export const runsUserOperations = ({ call }: Payout): boolean =>
  call !== undefined && functionOf(call.data.slice(0, 10).toLowerCase())?.startsWith('handleOps(') === true

/** Why a user operation failed whose transaction does not, by the logs of the entry point; null: all succeed. */
export const failedOperation = (logs: readonly TracedLog[]): DecodedRevert | null => {
  const events = logs.flatMap(readLog)
  const failed = events.find((event) => event.eventName === 'UserOperationEvent' && !event.args.success)
  if (failed === undefined) return null
  const hash = failed.args.userOpHash
  const reason = events.find(
    (event) => event.eventName === 'UserOperationRevertReason' && event.args.userOpHash === hash,
  )
  return decodeRevert(reason?.eventName === 'UserOperationRevertReason' ? reason.args.revertReason : '0x')
}

/**
 * Why a user operation of a payout failed in a transaction that did not, by its logs; null: none did. It took its gas, and nothing came of what its
 * user signed, as with a transaction that reverts.
 */
export const failedWithin = (
  payout: Payout,
  logs: readonly (TracedLog & { readonly address: string })[],
): string | null => {
  if (payout.call === undefined || !runsUserOperations(payout)) return null
  const entryPoint = payout.call.to.toLowerCase()
  return failedOperation(logs.filter(({ address }) => address.toLowerCase() === entryPoint))?.message ?? null
}

const readLog = ({ topics = [], data = '0x' }: TracedLog) => {
  if (!TOPICS.has(topics[0] ?? '')) return []
  try {
    // CAST: what is no log of this form throws.
    return [decodeEventLog({ abi, data: data as Hex, topics: topics as [Hex, ...Hex[]] })]
  } catch {
    return []
  }
}
