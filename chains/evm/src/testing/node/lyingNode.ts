import { randomBytes } from 'node:crypto'
import { eventTopics } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { encodeAbiParameters, parseAbiParameters, toHex } from 'viem'
import type { RpcBlock, RpcLog } from '../../rpc/wire.js'
import type { FaultProxy } from './faultProxy.js'
import type { LocalEvmChain } from './localChain.js'

const EVENT = parseAbiParameters('address from, uint256 amount, bytes32 id')

export interface InventedDeposit {
  readonly depository: string
  readonly from: string
  readonly orderId: Hex
  readonly amount: bigint
}

/**
 * From the block after the next one on, the node behind the proxy shows a native deposit that never was: its log, its
 * receipt and its transaction, in a block that every honest node has too. Returns the hash of that transaction.
 */
export const inventDeposit = async (proxy: FaultProxy, chain: LocalEvmChain, lie: InventedDeposit): Promise<Hex> => {
  const hash = toHex(randomBytes(32))
  const number = toHex(BigInt(await chain.rpc<Hex>('eth_blockNumber')) + 2n)
  const block = () => chain.rpc<RpcBlock | null>('eth_getBlockByNumber', [number, false])
  const logIn = ({ hash: blockHash }: RpcBlock): RpcLog => ({
    address: lie.depository,
    topics: [eventTopics.relayNativeDeposit],
    data: encodeAbiParameters(EVENT, [lie.from as Hex, lie.amount, lie.orderId]),
    blockNumber: number,
    blockHash,
    transactionHash: hash,
    logIndex: '0x0',
  })
  proxy.add('eth_getLogs', {
    when: ([filter]) => asksFor(filter, lie.depository, number),
    rewrite: async (logs) => {
      const there = await block()
      return there === null ? logs : [...(logs as RpcLog[]), logIn(there)]
    },
  })
  proxy.add('eth_getTransactionReceipt', {
    when: ([id]) => id === hash,
    rewrite: async () => {
      const there = await block()
      return there === null ? null : receiptOf(lie, hash, logIn(there))
    },
  })
  proxy.add('eth_getTransactionByHash', { when: ([id]) => id === hash, rewrite: () => transactionOf(lie, hash) })
  return hash
}

/** The node behind the proxy leaves the logs of some transactions out of every page, and shows their receipts all the same. */
export const omitLogs = (proxy: FaultProxy, isHidden: (transactionHash: Hex) => boolean): void => {
  proxy.add('eth_getLogs', {
    rewrite: (logs) => (logs as RpcLog[]).filter(({ transactionHash }) => !isHidden(transactionHash)),
  })
}

const asksFor = (filter: unknown, depository: string, number: Hex): boolean => {
  const { address, fromBlock, toBlock } = filter as { address?: string; fromBlock: Hex; toBlock: Hex }
  return address === depository && BigInt(fromBlock) <= BigInt(number) && BigInt(number) <= BigInt(toBlock)
}

const receiptOf = ({ from, depository }: InventedDeposit, hash: Hex, log: RpcLog) => ({
  transactionHash: hash,
  blockHash: log.blockHash,
  blockNumber: log.blockNumber,
  status: '0x1',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x1',
  from,
  to: depository,
  logs: [log],
})

const transactionOf = ({ from, depository, amount }: InventedDeposit, hash: Hex) => ({
  hash,
  from,
  to: depository,
  nonce: '0x0',
  input: '0x',
  value: toHex(amount),
})
