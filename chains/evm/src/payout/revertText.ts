import type { AttemptState } from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import { quantity, type RpcReceipt } from '../rpc/wire.js'
import { revertReason } from './revertReason.js'

/** Why a mined transaction reverted. Best effort: the same call on the state before the block and, as another transaction of it may be why, on that after it. */
export const revertText = async (
  receipt: RpcReceipt,
  txData: NonNullable<AttemptState['txData']>,
  rpc: JsonRpcClient,
): Promise<string | null> => {
  const call = { ...txData, value: quantity(BigInt(txData.value)), gas: quantity(BigInt(receipt.gasUsed) * 2n) }
  const height = BigInt(receipt.blockNumber)
  const at = (block: bigint) => ({ method: 'eth_call', params: [call, quantity(block)] })
  try {
    const outcomes = await rpc.batch([at(height - 1n), at(height)])
    const failed = outcomes.find((outcome) => !outcome.ok)
    return failed === undefined || failed.ok ? null : revertReason(failed.error).text
  } catch {
    return null
  }
}
