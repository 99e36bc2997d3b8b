import { ServiceError } from '@causeway/core'
import type { JsonRpcEndpoint, LaneMoment } from '@causeway/core/chain-kit'
import { wholeSince } from '../rpc/ledgerRanges.js'
import { askServerInfo } from '../rpc/xrpNode.js'

/** Where a server stands: a validated ledger never leaves, so the newest is final (chains.md xrpvm 4). */
export interface ServerMoment {
  readonly moment: LaneMoment
  /** Oldest ledger from which on the server has all; above the newest where it has none. */
  readonly history: bigint
}

/** @throws ServiceError when the node does not answer, or has not caught up with its network */
export const askMoment = async (node: JsonRpcEndpoint): Promise<ServerMoment> => {
  const { validated, complete } = await askServerInfo(node)
  if (validated === null) throw catchingUp()
  const { height } = validated
  return { moment: { height, final: height }, history: wholeSince(complete, height) ?? height + 1n }
}

export const catchingUp = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'A server of this chain has not caught up with its network.')
