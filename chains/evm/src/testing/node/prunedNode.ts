import type { Hex } from 'viem'
import type { FaultProxy } from './faultProxy.js'
import type { LocalEvmChain } from './localChain.js'

/** Error of geth for blocks whose bodies and receipts it dropped (EIP-4444). */
const PRUNED = { code: 4444, message: 'pruned history unavailable' }

/**
 * The node behind the proxy has bodies, receipts and logs of its newest `kept` blocks alone, as one with history expiry: older
 * transactions are unknown by their hash. State of now it has whole. Until the proxy is cleared.
 */
export const pruneNode = async (proxy: FaultProxy, chain: LocalEvmChain, kept: number): Promise<void> => {
  const first = BigInt(await chain.rpc<Hex>('eth_blockNumber')) - BigInt(kept) + 1n
  const isGone = (number: unknown) => typeof number === 'string' && number.startsWith('0x') && BigInt(number) < first
  const unlessGone = (found: unknown) => (isGone(Reflect.get(Object(found), 'blockNumber')) ? null : found)
  proxy.add('eth_getBlockByNumber', { when: ([number]) => isGone(number), error: PRUNED })
  proxy.add('eth_getBlockReceipts', { when: ([number]) => isGone(number), error: PRUNED })
  proxy.add('eth_getLogs', { when: ([filter]) => isGone(Reflect.get(Object(filter), 'fromBlock')), error: PRUNED })
  proxy.add('eth_getTransactionReceipt', { rewrite: unlessGone })
  proxy.add('eth_getTransactionByHash', { rewrite: unlessGone })
}
