/** `src/adapter.ts` of a new chain package of a family: what is the chain's own; the rest is parts of core's kit. */
export const FAMILY_ADAPTER = `
import type { Hex } from '@causeway/core'
import type { AddressCheck, AddressCodec, Capabilities, ChainAdapter, ChainDeps, DepositRequest, Destination, FeeQuote, LaneAdapter, Payout, RecipientStatus, Simulation, StepItemDraft } from '@causeway/core/chain'
import { sameAddressBy } from '@causeway/core/chain-kit'
import { COIN, normalizeCurrency, validateAddress } from './address.js'
import type { ChainOptions } from './options.js'
import { partsOf } from './parts.js'
import { toBeDone } from './toBeDone.js'

/** One configured __CHAIN__ chain. Every failure that leaves it is a ServiceError of core, without a URL in its message. */
export class __CLASS__Adapter implements ChainAdapter {
  readonly vmType = '__CHAIN__vm'
  readonly depository: string
  /** A contract that proves native payments, where the chain has one. */
  readonly fillContract: string | null = null
  /** Largest amount the chain can represent. */
  readonly maxAmount = 2n ** 64n - 1n
  readonly validateAddress: (text: string) => AddressCheck = validateAddress
  readonly normalizeCurrency: (text: string) => string | null = normalizeCurrency
  /** Declared once and relied upon: a quote that the chain cannot serve is refused because of it. */
  readonly capabilities: Capabilities = {
    tokens: false,
    destinationCalls: false,
    simulation: 'balance-checks',
    bump: '__BUMP__',
    mempoolVisibility: false,
    depositBinding: '__BINDING__',
    destinationTag: false,
    maxOriginTxBytes: null,
    refundToDepositor: true,
  }
  /** Bytes of addresses in order ids; core knows those of its nine VMs, yours must bring them. */
  readonly addressCodec: AddressCodec = {
    encode: (text) => toBeDone('addressCodec.encode', \`the bytes of \${text.slice(0, 20)}, equal for equal accounts\`),
    decode: () => toBeDone('addressCodec.decode', 'the canonical text of such bytes'),
  }
  readonly native = COIN
  readonly chainId: number
  readonly slug: string
  readonly sameAddress = sameAddressBy(validateAddress)
  readonly start: ChainAdapter['start']
  readonly stop: ChainAdapter['stop']
  readonly endpoints: NonNullable<ChainAdapter['endpoints']>
  readonly onDisagreement: NonNullable<ChainAdapter['onDisagreement']>
  readonly tip: ChainAdapter['tip']
  readonly onHead: ChainAdapter['onHead']
  readonly poke: NonNullable<ChainAdapter['poke']>
  readonly cursorAt: NonNullable<ChainAdapter['cursorAt']>
  readonly watch: ChainAdapter['watch']
  readonly recheckDeposits: ChainAdapter['recheckDeposits']
  readonly confirmDeposit: ChainAdapter['confirmDeposit']
  readonly findTransaction: ChainAdapter['findTransaction']
  readonly getBalances: ChainAdapter['getBalances']
  readonly lane: LaneAdapter

  constructor(options: ChainOptions, deps: ChainDeps) {
    const { reader, lane } = partsOf(options, deps)
    this.depository = options.depository
    this.chainId = deps.config.id
    this.slug = deps.config.slug
    this.start = reader.start
    this.stop = reader.stop
    this.endpoints = reader.endpoints
    this.onDisagreement = reader.onDisagreement
    this.tip = reader.tip
    this.onHead = reader.onHead
    this.poke = reader.poke
    this.cursorAt = reader.cursorAt
    this.watch = reader.watch
    this.recheckDeposits = reader.recheckDeposits
    this.confirmDeposit = reader.confirmDeposit
    this.findTransaction = reader.findTransaction
    this.getBalances = reader.getBalances
    this.lane = lane
  }

  explorerPaths() {
    return { transaction: '/tx/{TX_HASH}', address: '/address/{ADDRESS}', token: '/token/{ADDRESS}' }
  }

  /** Bytes for the order's \`extraData\`; most chains have none. */
  orderExtraData(_destination: Destination): Hex {
    return '0x'
  }

  async recipientStatus(to: Destination, _currency: string): Promise<RecipientStatus> {
    // What the chain must be asked for (closed accounts, missing trust lines) is to be added.
    return to.address === this.depository
      ? { canReceive: false, why: 'The depository is not a recipient.' }
      : { canReceive: true }
  }

  async estimateDepositFee(_request: DepositRequest): Promise<FeeQuote> {
    return toBeDone('estimateDepositFee', 'what the network takes from the user for one deposit')
  }

  async estimatePayoutFee(_payout: Payout, _simulation?: Simulation): Promise<FeeQuote> {
    return toBeDone('estimatePayoutFee', 'what the network takes from the solver for one payout')
  }

  async simulate(_payout: Payout): Promise<Simulation> {
    return toBeDone('simulate', 'run or check the payout as the solver would send it, and say why it would fail')
  }

  async buildDeposit(_request: DepositRequest): Promise<readonly StepItemDraft[]> {
    return toBeDone('buildDeposit', 'what the user must sign so that the deposit carries the order id')
  }
}
`

/** \`src/address.ts\`. */
export const ADDRESS = `
import type { AddressCheck } from '@causeway/core/chain'
import { toBeDone } from './toBeDone.js'

/** Change to what your chain has; \`address\` is the id of the native currency. */
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
