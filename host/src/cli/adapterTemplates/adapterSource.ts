/** `src/adapter.ts` of a new chain package. */
export const ADAPTER = `
import type { Hex, Json } from '@causeway/core'
import type { AddressCheck, AddressCodec, BlockRef, Capabilities, ChainAdapter, ChainDeps, DepositEvidence, DepositReference, DepositRequest, Destination, EndpointHealth, FeeQuote, Live, Payout, RecipientStatus, Simulation, StepItemDraft, TxRef, WatchPage } from '@causeway/core/chain'
import { __CLASS__Lane } from './lane.js'
import type { ChainOptions } from './options.js'
import { toBeDone } from './toBeDone.js'

/** One configured __CHAIN__ chain. Every failure that leaves it is a ServiceError of core, without a URL in its message. */
export class __CLASS__Adapter implements ChainAdapter {
  readonly vmType = '__CHAIN__vm'
  readonly chainId: number
  readonly slug: string
  readonly depository: string
  /** A contract that proves native payments, where the chain has one. */
  readonly fillContract: string | null = null
  /** Largest amount the chain can represent. */
  readonly maxAmount = 2n ** 64n - 1n
  /** Change to what your chain has; \`address\` is the id of the native currency. */
  readonly native = { address: 'native', symbol: 'COIN', name: 'Coin', decimals: 9 }
  /** Declared once and relied upon: a quote that the chain cannot serve is refused because of it. */
  readonly capabilities: Capabilities = {
    tokens: false,
    destinationCalls: false,
    simulation: 'balance-checks',
    bump: 'resign-after-expiry',
    mempoolVisibility: false,
    depositBinding: 'memo',
    destinationTag: false,
    maxOriginTxBytes: null,
    refundToDepositor: true,
  }
  /** Bytes of addresses in order ids; core knows those of its nine VMs, yours must bring them. */
  readonly addressCodec: AddressCodec = {
    encode: (text) => toBeDone('addressCodec.encode', \`the bytes of \${text.slice(0, 20)}, equal for equal accounts\`),
    decode: () => toBeDone('addressCodec.decode', 'the canonical text of such bytes'),
  }
  readonly lane: __CLASS__Lane
  readonly #options: ChainOptions
  readonly #deps: ChainDeps

  constructor(options: ChainOptions, deps: ChainDeps) {
    this.#options = options
    this.#deps = deps
    this.chainId = deps.config.id
    this.slug = deps.config.slug
    this.depository = options.depository
    this.lane = new __CLASS__Lane(options, deps)
  }

  validateAddress(_text: string): AddressCheck {
    return toBeDone('validateAddress', 'accept every spelling of an address, give its canonical one; refuse with a reason')
  }

  normalizeCurrency(_text: string): string | null {
    return toBeDone('normalizeCurrency', 'the canonical id of a currency; the zero address 0x00..00 means native.address')
  }

  sameAddress(left: string, right: string): boolean {
    const [first, second] = [this.validateAddress(left), this.validateAddress(right)]
    return first.ok && second.ok && first.canonical === second.canonical
  }

  explorerPaths() {
    return { transaction: '/tx/{TX_HASH}', address: '/address/{ADDRESS}', token: '/token/{ADDRESS}' }
  }

  /** Bytes for the order's \`extraData\`; most chains have none. */
  orderExtraData(): Hex {
    return '0x'
  }

  async start(_signal: AbortSignal): Promise<void> {
    const { length } = this.#deps.config.rpc
    toBeDone('start', \`check chain and head of \${length} endpoints within \${this.#options.rpcTimeoutMs ?? 5000} ms each\`)
  }

  async stop(): Promise<void> {
    // Close connections and timers here.
  }

  /** What each endpoint is worth now, from memory. */
  endpoints(): readonly EndpointHealth[] {
    return toBeDone('endpoints', 'tell which endpoints are ok, lagging, distrusted or down')
  }

  async tip(): Promise<BlockRef> {
    return toBeDone('tip', 'the newest block: height, hash, time')
  }

  onHead(_listener: (head: BlockRef) => void, _signal: AbortSignal): void {
    toBeDone('onHead', 'call back at each new head until the signal aborts')
  }

  async getBalances(_queries: readonly { readonly address: string; readonly currency: string }[]) {
    return toBeDone('getBalances', 'balances and the height they were read at, in one round trip')
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

  async cursorAt(_height: bigint): Promise<Json> {
    return toBeDone('cursorAt', 'a cursor from which watch reads a height and all that come after it')
  }

  watch(_cursor: Json, _live: Live, _signal: AbortSignal): AsyncIterable<WatchPage> {
    return toBeDone('watch', 'read deposits from a stored cursor on, also when blocks leave the chain')
  }

  async recheckDeposits(
    _deposits: readonly DepositReference[],
  ): Promise<readonly DepositEvidence[]> {
    return toBeDone('recheckDeposits', 'look stored deposits up again')
  }

  async confirmDeposit(
    _deposit: Parameters<ChainAdapter['confirmDeposit']>[0],
    _options: { readonly agreeing: number; readonly confirmations?: number },
  ): Promise<boolean> {
    return toBeDone('confirmDeposit', 'ask endpoints of distinct providers whether the deposit is just as claimed')
  }

  async findTransaction(_tx: TxRef): ReturnType<ChainAdapter['findTransaction']> {
    return toBeDone('findTransaction', 'the state of one transaction, and the orders its deposits name')
  }
}
`
