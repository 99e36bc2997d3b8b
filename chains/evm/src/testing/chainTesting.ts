import { bytesToHex } from '@causeway/core'
import { orderSignerAddress } from '@causeway/core/chain'
import type { ChainTesting, LocalChain } from '@causeway/core/testing'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { adoptLocalChain, type LocalEvmChain, startLocalChain } from './node/localChain.js'
import { NATIVE, sandboxChain } from './sandboxChain.js'
import { EvmReader, EvmWallet } from './testWallet.js'

const BLOCK_MS = 1000

/** A node of EVM chains; it answers truthfully, in time and of all blocks; a fault proxy in front of it does not (`freezeNode`, `pruneNode`). */
const controlOf = (chain: LocalEvmChain): LocalChain => ({
  chainId: chain.chainId,
  endpoint: { http: chain.rpcUrl, ws: chain.wsUrl },
  pid: chain.pid,
  genesisHash: async () => (await chain.rpc<{ readonly hash: string }>('eth_getBlockByNumber', ['0x0', false])).hash,
  height: async () => Number(await chain.rpc<string>('eth_blockNumber')),
  fund: (address, amount, currency = ZERO_ADDRESS) =>
    currency === ZERO_ADDRESS ? chain.fund(address, amount) : chain.fund(address, amount, currency),
  advance: (blocks) => chain.mine(blocks),
  reorg: (depth) => chain.reorg(depth),
  lag: null,
  forget: null,
  failNext: null,
  close: () => chain.close(),
})

/** Local EVM chains for whoever knows chains by the contract alone. */
export const chainTesting: ChainTesting = {
  vmType: 'evm',
  native: NATIVE,
  keyOf: (secret) => {
    const privateKey = bytesToHex(secret)
    return { address: orderSignerAddress(secret), privateKey, walletKey: privateKey }
  },
  startLocalChain: async ({ blockMs = BLOCK_MS, ...options }) =>
    controlOf(await startLocalChain({ ...options, ...(blockMs === 0 ? {} : { blockTimeSeconds: blockMs / 1000 }) })),
  adoptLocalChain: async ({ chainId, endpoint, pid }) => {
    const chain = await adoptLocalChain({ rpcUrl: endpoint.http, pid: pid ?? 0 })
    if (chain.chainId !== chainId) throw new Error(`The node serves chain ${chain.chainId}, not ${chainId}.`)
    return controlOf(chain)
  },
  readChain: (access) => new EvmReader(access),
  openWallet: (access, walletKey) => new EvmWallet(new EvmReader(access), walletKey),
  sandbox: sandboxChain,
}
