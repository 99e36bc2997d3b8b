import {
  type AddressCodec,
  type BlockRef,
  type Capabilities,
  type ChainAdapter,
  type ChainDeps,
  type ClaimedDeposit,
  type DepositEvidence,
  type DepositRequest,
  type Destination,
  type Diagnosis,
  type DiagnosisRequest,
  type Disagreement,
  type EndpointHealth,
  type FeeQuote,
  type Hex,
  type Json,
  type Payout,
  type RecipientStatus,
  ServiceError,
  type Simulation,
  type StepItemDraft,
  type TxRef,
} from '@causeway/core'
import { bitcoinAddressCodec } from './address/addressCodec.js'
import { NATIVE, normalizeCurrency, validateAddress } from './address/addresses.js'
import { type BalanceQuery, readBalances } from './balances.js'
import { buildDeposit } from './deposit/buildDeposit.js'
import { diagnose } from './diagnose/diagnose.js'
import { depositFeeQuote, payoutFeeQuote } from './fees/feeQuotes.js'
import { FeeSource } from './fees/feeSource.js'
import { HeadSource } from './head/headSource.js'
import { BvmLane } from './lane/bvmLane.js'
import { type BvmOptions, type BvmSettings, resolveOptions } from './options.js'
import { PayoutBuilder } from './payout/payoutBuilder.js'
import { recipientStatus } from './payout/recipients.js'
import { simulatePayout } from './payout/simulatePayout.js'
import { SourceMonitor } from './source/sourceMonitor.js'
import { SourcePool } from './source/sourcePool.js'
import { confirmDeposit, findTransaction, recheckDeposits } from './watch/depositLookup.js'
import { Wake } from './watch/wake.js'
import { watchPages } from './watch/watcher.js'

/** All satoshis that there can ever be. */
const MAX_SATOSHIS = 2_100_000_000_000_000n

const CAPABILITIES: Capabilities = {
  tokens: false,
  destinationCalls: false,
  simulation: 'balance-checks',
  bump: 'replace',
  mempoolVisibility: true,
  depositBinding: 'memo',
  // They can be derived and swept, but nothing takes deposits at them yet.
  depositAddress: [],
  destinationTag: false,
  maxOriginTxBytes: null,
  refundToDepositor: true,
}

/** One configured Bitcoin chain. */
export class BvmAdapter implements ChainAdapter {
  readonly chainId: number
  readonly slug: string
  readonly vmType = 'bvm'
  readonly capabilities = CAPABILITIES
  readonly native
  readonly depository: string
  readonly fillContract = null
  readonly maxAmount = MAX_SATOSHIS
  readonly addressCodec?: AddressCodec
  readonly lane: BvmLane
  readonly #deps: ChainDeps
  readonly #settings: BvmSettings
  readonly #pool: SourcePool
  readonly #heads: HeadSource
  readonly #monitor: SourceMonitor
  readonly #fees: FeeSource
  readonly #builder: PayoutBuilder
  readonly #wake = new Wake()

  constructor(options: BvmOptions, deps: ChainDeps) {
    const { config, logger } = deps
    const settings = resolveOptions(options, config.id)
    const { network, depository, fees: bounds, feeTarget: target, pollIntervalMs, pace } = settings
    this.#deps = deps
    this.#settings = settings
    this.chainId = config.id
    this.slug = config.slug
    this.depository = depository.address
    this.native = nativeOf(config.currencies)
    // The bytes of the main network are core's own.
    if (network.name !== 'mainnet') this.addressCodec = bitcoinAddressCodec(network)
    const settle = BigInt(Math.max(1, config.confirmations.settle))
    const pool = new SourcePool({ endpoints: config.rpc, settings, settle, logger })
    this.#pool = pool
    this.#heads = new HeadSource({ pool, pollIntervalMs, logger })
    this.#monitor = new SourceMonitor({ pool, intervalMs: settings.endpointCheckMs, logger })
    this.#fees = new FeeSource({ pool, bounds, target })
    const [heads, monitor, fees] = [this.#heads, this.#monitor, this.#fees]
    this.#builder = new PayoutBuilder({ pool, network, depository, fees, bounds, settle })
    const builder = this.#builder
    this.lane = new BvmLane({ pool, heads, fees, builder, monitor, network, depository, bounds, settle, pace })
  }

  validateAddress(text: string) {
    return validateAddress(text, this.#settings.network)
  }

  normalizeCurrency(text: string): string | null {
    return normalizeCurrency(text)
  }

  sameAddress(left: string, right: string): boolean {
    const [one, other] = [this.validateAddress(left), this.validateAddress(right)]
    return one.ok && other.ok ? one.canonical === other.canonical : left === right
  }

  explorerPaths() {
    return { transaction: '/tx/{TX_HASH}', address: '/address/{ADDRESS}', token: '/address/{ADDRESS}' }
  }

  /** The order names no contract on this chain: the text of an output proves a fill (chains.md bvm 5). */
  orderExtraData(): Hex {
    return '0x'
  }

  async start(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => void this.stop(), { once: true })
    if (signal.aborted) return this.stop()
    await Promise.race([this.#monitor.check(), aborted(signal)])
    if (signal.aborted) return
    const usable = this.#pool.endpoints.some(({ failure, distrust }) => failure === null && distrust === null)
    if (!usable) throw new ServiceError('SERVICE_UNAVAILABLE', `No node of chain ${this.chainId} is usable.`)
    this.#monitor.start()
    this.#heads.start()
    this.#heads.onHead(() => this.#wake.hint(), signal)
  }

  async stop(): Promise<void> {
    this.#monitor.stop()
    this.#heads.stop()
    this.#pool.close()
  }

  endpoints(): readonly EndpointHealth[] {
    return this.#pool.health()
  }

  onDisagreement(listener: (disagreement: Disagreement) => void, signal: AbortSignal): void {
    this.#monitor.onDisagreement(listener, signal)
  }

  async tip(): Promise<BlockRef> {
    const { height, hash, time } = await this.#heads.tip()
    return { height, hash, time }
  }

  onHead(listener: (head: BlockRef) => void, signal: AbortSignal): void {
    this.#heads.onHead(listener, signal)
  }

  getBalances(queries: readonly BalanceQuery[]) {
    return readBalances(queries, { pool: this.#pool, network: this.#settings.network })
  }

  async recipientStatus(to: Destination, currency: string): Promise<RecipientStatus> {
    return recipientStatus(to, currency, this.#settings)
  }

  async estimateDepositFee({ from }: DepositRequest): Promise<FeeQuote> {
    return depositFeeQuote(from, await this.#fees.rate(), this.#settings)
  }

  async estimatePayoutFee(payout: Payout, simulation?: Simulation): Promise<FeeQuote> {
    return payoutFeeQuote(payout, simulation, await this.#fees.rate(), this.#settings)
  }

  simulate(payout: Payout): Promise<Simulation> {
    return simulatePayout(payout, this.#builder)
  }

  buildDeposit(request: DepositRequest): Promise<readonly StepItemDraft[]> {
    const { network, depository } = this.#settings
    return buildDeposit(request, { pool: this.#pool, network, depository, fees: this.#fees })
  }

  watch(cursor: Json, signal: AbortSignal) {
    const { startHeight, pollIntervalMs } = this.#settings
    const { logger } = this.#deps
    const wake = this.#wake
    return watchPages(cursor, signal, { ...this.#lookup(), startHeight, pollIntervalMs, wake, logger })
  }

  poke(): void {
    this.#wake.hint()
  }

  recheckDeposits(
    deposits: readonly { readonly tx: TxRef; readonly position: number }[],
  ): Promise<readonly DepositEvidence[]> {
    return recheckDeposits(deposits, this.#lookup())
  }

  confirmDeposit(
    deposit: ClaimedDeposit,
    options: { readonly agreeing: number; readonly confirmations?: number },
  ): Promise<boolean> {
    return confirmDeposit(deposit, options, { ...this.#lookup(), monitor: this.#monitor })
  }

  findTransaction(tx: TxRef) {
    return findTransaction(tx, this.#lookup())
  }

  diagnose(request: DiagnosisRequest): Promise<readonly Diagnosis[]> {
    return diagnose(request, { pool: this.#pool, config: this.#deps.config, settings: this.#settings })
  }

  #lookup() {
    const { network, depository } = this.#settings
    return { pool: this.#pool, watched: depository, rules: { network, depository: depository.script } }
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

/** Name of the native currency, from the configured currencies. */
const nativeOf = (currencies: ChainDeps['config']['currencies']): ChainAdapter['native'] => {
  const listed = currencies.find(({ address }) => normalizeCurrency(address) === NATIVE)
  const { symbol, name, decimals } = listed ?? { symbol: 'BTC', name: 'Bitcoin', decimals: 8 }
  return { address: NATIVE, symbol, name, decimals }
}
