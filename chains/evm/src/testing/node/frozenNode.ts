import { type Hex, keccak256, toHex } from 'viem'
import type { FaultProxy } from './faultProxy.js'
import type { LocalEvmChain } from './localChain.js'

/** Methods that read state, and where among their parameters the block is named. */
const STATE_METHODS = [
  ['eth_call', 1],
  ['eth_estimateGas', 1],
  ['eth_getBalance', 1],
  ['eth_getCode', 1],
  ['eth_getTransactionCount', 1],
  ['eth_feeHistory', 1],
] as const

/**
 * The node behind the proxy stands still at a block (the newest one where none is named): it answers everything as it was then, and
 * passes no transaction on. Until the proxy is cleared.
 */
export const freezeNode = async (proxy: FaultProxy, chain: LocalEvmChain, at?: bigint): Promise<void> => {
  const still = at ?? BigInt(await chain.rpc<Hex>('eth_blockNumber'))
  const isLater = (number: unknown) => typeof number === 'string' && number.startsWith('0x') && BigInt(number) > still
  const atMost = (number: unknown) => (isLater(number) || !String(number).startsWith('0x') ? toHex(still) : number)
  const unlessLater = (found: unknown) => (isLater(Reflect.get(Object(found), 'blockNumber')) ? null : found)
  proxy.add('eth_blockNumber', { result: () => toHex(still) })
  proxy.add('eth_getBlockByNumber', {
    result: ([number, full]) => (isLater(number) ? null : chain.rpc('eth_getBlockByNumber', [atMost(number), full])),
  })
  proxy.add('eth_getBlockByHash', {
    rewrite: (block) => (isLater(Reflect.get(Object(block), 'number')) ? null : block),
  })
  proxy.add('eth_getTransactionReceipt', { rewrite: unlessLater })
  proxy.add('eth_getTransactionByHash', { rewrite: unlessLater })
  proxy.add('eth_getLogs', {
    // CAST: an answered eth_getLogs is a list.
    rewrite: (logs) => (logs as unknown[]).filter((log) => unlessLater(log) !== null),
  })
  for (const [method, place] of STATE_METHODS) {
    proxy.add(method, {
      result: (params) =>
        chain.rpc(
          method,
          params.map((param, index) => (index === place ? atMost(param) : param)),
        ),
    })
  }
  // CAST: bytes of a transaction.
  proxy.add('eth_sendRawTransaction', { result: ([raw]) => keccak256(raw as Hex) })
}
