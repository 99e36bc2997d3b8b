import { ADDRESS_CODEC } from './adapterSource.js'

/** `src/adapter.ts` of a new chain package of a family: the chain's own members; the others are parts of core's kit. */
export const FAMILY_ADAPTER = `
import type { ChainDeps } from '@causeway/core/chain'
import { defineAdapter } from '@causeway/core/chain-kit'
import { COIN, normalizeCurrency, validateAddress } from './address.js'
import type { ChainOptions } from './options.js'
import { partsOf } from './parts.js'
import { toBeDone } from './toBeDone.js'

/**
 * One configured __CHAIN__ chain (core/docs/kit/adapter.md). Every failure that leaves it is a ServiceError of core, without a URL in its
 * message.
 */
export const __CHAIN__Adapter = (options: ChainOptions, deps: ChainDeps) => {
  const { reader, lane } = partsOf(options, deps)
  return defineAdapter({
    identity: {
      config: deps.config,
      vmType: '__CHAIN__vm',
      native: COIN,
      depository: options.depository,
      // Largest amount the chain can represent.
      maxAmount: 2n ** 64n - 1n,
      // Declared once and relied upon: a quote that the chain cannot serve is refused because of it.
      capabilities: { bump: '__BUMP__', depositBinding: '__BINDING__', refundToDepositor: true },
${ADDRESS_CODEC}    },
    forms: { validateAddress, normalizeCurrency },
    // Add \`recipientStatus\` where the chain must be asked for it: closed accounts, missing trust lines.
    reader,
    payouts: {
      lane,
      simulate: async () =>
        toBeDone('simulate', 'run or check the payout as the solver would send it, and say why it would fail'),
      estimatePayoutFee: async () =>
        toBeDone('estimatePayoutFee', 'what the network takes from the solver for one payout'),
    },
    deposits: {
      estimateDepositFee: async () =>
        toBeDone('estimateDepositFee', 'what the network takes from the user for one deposit'),
      buildDeposit: async () =>
        toBeDone('buildDeposit', 'what the user must sign so that the deposit carries the order id'),
    },
  })
}
`

/** \`src/address.ts\`. */
export const ADDRESS = `
import type { AddressCheck } from '@causeway/core/chain'
import { toBeDone } from './toBeDone.js'

/** Change to what your chain has; \`address\` is the id of the native currency, which addressCodec must encode. */
export const COIN = { address: 'native', symbol: 'COIN', name: 'Coin', decimals: 9 }

export const validateAddress = (_text: string): AddressCheck =>
  toBeDone('validateAddress', 'accept every spelling of an address, give its canonical one; refuse with a reason')

export const normalizeCurrency = (_text: string): string | null =>
  toBeDone('normalizeCurrency', 'the canonical id of a currency; the zero address 0x00..00 means the native one')
`

/** \`src/nodes.ts\`: the nodes, and how they are compared. */
export const NODES = `
import type { BlockRef, ChainDeps } from '@causeway/core/chain'
import {
  type EndpointProbe,
  JsonRpcClient,
  type JsonRpcEndpoint,
  type JsonRpcNode,
  jsonRpcProbe,
  type RpcCall,
  resultOf,
} from '@causeway/core/chain-kit'
import type { ChainOptions } from './options.js'
import { toBeDone } from './toBeDone.js'

/** Usual time between blocks, until it was seen. */
export const BLOCK_MS = 1000

/** Asked of every node before its answers are used. */
const IDENTIFY = {
  method: 'chain_id',
  params: [],
  matches: (_result: unknown): boolean => toBeDone('start', 'whether a node is of this very chain, by what identifies it'),
}
const HEAD: RpcCall = { method: 'chain_head', params: [] }

/** What a node's answer says of its newest block. */
const readHead = (_answer: unknown): BlockRef => toBeDone('tip', 'the newest block: height, hash, time')

/** The nodes of the chain; a chain without JSON-RPC takes EndpointPool with RestClient or a client of its own. */
export const openNodes = (options: ChainOptions, { config, logger }: ChainDeps) =>
  new JsonRpcClient({
    protocol: { identify: IDENTIFY, unrepeatable: new Set(['send']) },
    endpoints: config.rpc,
    timeoutMs: options.rpcTimeoutMs ?? 5000,
    logger,
  })

/** How nodes are compared with each other; a block below \`settle\` others stays. */
export const probeOf = (settle: number): EndpointProbe<JsonRpcNode> =>
  jsonRpcProbe({
    unit: 'block',
    identify: IDENTIFY,
    headCalls: [HEAD],
    readHead: ([outcome]) => {
      const { height, time } = readHead(resultOf(outcome, HEAD.method))
      return { height, progress: height, comparable: height, time }
    },
    hashCall: (height) => ({ method: 'chain_block', params: [height.toString()] }),
    readHash: () => toBeDone('endpoints', 'the hash of a block, by which nodes are compared'),
    depth: BigInt(settle),
    final: false,
    maxAhead: 1000n,
    lag: { limit: 5n, reason: 'Its newest block is far behind that of the others.' },
  })

/** The newest block of one node, or of any. */
export const headOf = async (asked: Pick<JsonRpcEndpoint, 'batch'>): Promise<BlockRef> => {
  const [outcome] = await asked.batch([HEAD])
  return readHead(resultOf(outcome, HEAD.method))
}
`
