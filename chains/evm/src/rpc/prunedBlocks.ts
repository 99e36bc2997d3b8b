import type { JsonRpcEndpoint } from '@causeway/core/chain-kit'
import { quantity } from './wire.js'

const NO_ADDRESS = '0x0000000000000000000000000000000000000001'

/**
 * Whether a node still has the transactions and receipts of a block. One that dropped them (EIP-4444, pruned receipts) answers null or an
 * error: it knows no transaction of that block by its hash, which denies nothing.
 */
export const hasBlock = async (endpoint: JsonRpcEndpoint, height: bigint): Promise<boolean> => {
  const number = quantity(height)
  const outcomes = await endpoint.batch([
    { method: 'eth_getBlockByNumber', params: [number, false] },
    { method: 'eth_getLogs', params: [{ address: NO_ADDRESS, fromBlock: number, toBlock: number }] },
  ])
  return outcomes.every((outcome) => outcome.ok && outcome.result !== null)
}
