import type { Hex } from '@causeway/core'
import type { NetworkChain } from './localNetwork.js'
import { receiptOf } from './transfer.js'
import { until } from './until.js'

/**
 * Replaces the block of a transaction and all later ones by empty blocks. A block that comes while its depth is counted would
 * leave it where it is: then it is counted again.
 */
export const reorgAway = async ({ chain }: NetworkChain, txId: Hex): Promise<void> => {
  await receiptOf(chain, txId)
  await until(`${txId} to leave its block`, async () => {
    const receipt = await chain.rpc<{ blockNumber: Hex } | null>('eth_getTransactionReceipt', [txId])
    if (receipt === null) return true
    const tip = Number(await chain.rpc<Hex>('eth_blockNumber'))
    await chain.reorg(tip - Number(receipt.blockNumber) + 1)
    return null
  })
}
