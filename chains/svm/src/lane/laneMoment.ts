import { type JsonRpcEndpoint, type LaneMoment, resultOf } from '@causeway/core/chain-kit'
import { blockCall, epochCall, type RpcBlock, type RpcEpochInfo } from '../rpc/wire.js'

/** Block heights for which a blockhash is valid: a transaction is in one of so many blocks, or in none. */
export const VALID_BLOCKS = 150n

/** The newest block at a commitment and the newest final one, by slot; payments expire by block height, since a slot may have no block. */
export const readMoment = async (
  node: JsonRpcEndpoint,
  newest: 'processed' | 'confirmed',
): Promise<Required<LaneMoment>> => {
  const [tip, final] = (await node.batch([epochCall(newest), epochCall('finalized')])).map((outcome) =>
    resultOf<RpcEpochInfo>(outcome, 'getEpochInfo'),
  ) as [RpcEpochInfo, RpcEpochInfo]
  return {
    height: BigInt(tip.absoluteSlot),
    final: BigInt(final.absoluteSlot),
    time: { newest: BigInt(tip.blockHeight), final: BigInt(final.blockHeight) },
  }
}

/** Whether a node has the blocks from a block height on: one that has thrown old blocks away denies what they held. */
export const remembers = async (node: JsonRpcEndpoint, height: bigint): Promise<boolean> => {
  const slot = await firstSlot(node)
  // There are never more blocks than slots.
  if (slot <= height) return true
  const [outcome] = await node.batch([blockCall(slot, 'finalized')])
  const block = outcome?.ok ? (outcome.result as RpcBlock | null) : null
  return block !== null && block.blockHeight !== null && BigInt(block.blockHeight) <= height
}

/** The oldest slot of which a node has the block. */
export const firstSlot = async (node: JsonRpcEndpoint): Promise<bigint> => {
  const [first] = await node.batch([{ method: 'getFirstAvailableBlock', params: [] }])
  return BigInt(resultOf<number>(first, 'getFirstAvailableBlock'))
}
